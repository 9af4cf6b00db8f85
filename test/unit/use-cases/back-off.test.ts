import { describe, expect, it } from "vitest";
import { msBetween } from "../../../shared/domain/time.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, type Platform } from "../../support/platform.ts";

const DAY = 24 * 3600;

/** An accepted payment, and a worker of its webhook that fails this often because of an error in the platform itself. */
async function aMistake(times: number) {
  const platform = await aPlatform();
  const payment = await aPaymentOn(platform);
  await payment.sendReport("accepted", {}, "wait");
  const { queued } = platform;
  queued.splice(0, queued.length, ...webhooksOf(platform)); // and nothing else happens
  const { webhooks } = platform.deps;
  const { send } = webhooks;
  const triedAt: number[] = [];
  const begun = platform.deps.clock.now();
  webhooks.send = async (request) => {
    triedAt.push(msBetween(begun, platform.deps.clock.now()) / 1000);
    if (triedAt.length <= times) throw new TypeError("nobody thought of this");
    return send(request);
  };
  return { platform, triedAt };
}

const webhooksOf = ({ queued }: Platform) => queued.filter(({ queue }) => queue.startsWith("webhook"));

describe("a worker that fails by an error in the platform itself", () => {
  it("is retried after 1 s, doubling to 5 min, and each failure is logged", async () => {
    const { platform, triedAt } = await aMistake(11);
    await platform.pass(3600);
    expect(triedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111]);
    expect(platform.log.of("effectFailed").map(({ tries }) => tries)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(platform.log.of("effectFailed")[0]).toMatchObject({
      queue: "webhook-deliveries",
      effect: "webhook~payment.inProgress",
      error: "TypeError", // its message may contain any data
      stack: expect.arrayContaining([
        expect.stringMatching(/^shared\/use-cases\/webhooks\/deliver-webhook\.ts:\d+:\d+$/),
      ]),
    });
    expect(platform.webhooksSent).toHaveLength(1);
    expect(webhooksOf(platform)).toEqual([]);
  });

  it("is retried for a day, and then its message becomes a dead letter", async () => {
    const { platform } = await aMistake(Infinity);
    await platform.pass(DAY - 600);
    const [message] = webhooksOf(platform);
    if (!message) throw new Error("the message is gone");
    await expect(platform.pass(1_200)).rejects.toThrow("nobody thought of this");
    expect(platform.webhooksSent).toEqual([]);
  });

  it("has a day for each attempt of the effect's own schedule", async () => {
    const { platform } = await aMistake(3);
    const { webhooks } = platform.deps;
    webhooks.nextAttemptAfter = () => 3 * DAY;
    const { send } = webhooks;
    let answers = 0;
    webhooks.send = async (request) => {
      const answer = await send(request);
      if (++answers === 1) return { kind: "failed", reason: "status", status: 500, ms: 1 };
      if (answers === 2) throw new TypeError("again");
      return answer;
    };
    await platform.pass(4 * DAY);
    expect(platform.log.of("effectFailed").map(({ error }) => error)).toEqual([
      "TypeError",
      "TypeError",
      "TypeError",
      "TypeError",
    ]);
    expect(answers).toBe(3);
    expect(webhooksOf(platform)).toEqual([]);
  });
});

describe("a worker whose queue accepts no copy", () => {
  async function fullFor(seconds: number) {
    const { platform } = await aMistake(1);
    const { announcements, clock } = platform.deps;
    const { send } = announcements;
    const from = clock.now();
    announcements.send = async (...given) => {
      if (msBetween(from, clock.now()) < seconds * 1000) throw new Unavailable("full", { dependency: "bus" });
      return send(...given);
    };
    return platform;
  }

  it("keeps its message for minutes, and throws nothing", async () => {
    const platform = await fullFor(230);
    await platform.pass(600);
    expect(platform.webhooksSent).toHaveLength(1);
    expect(platform.log.of("alertRaised")).toEqual([]);
    expect(platform.log.of("messageHeld")).toMatchObject([{ function: "webhook-deliveries", reason: "bus" }]);
  });

  it("throws after four minutes: the broker brings the message back", async () => {
    const platform = await fullFor(3_600);
    await expect(platform.pass(600)).rejects.toThrow(Unavailable);
  });
});
