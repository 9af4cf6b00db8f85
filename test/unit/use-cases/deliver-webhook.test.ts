import { describe, expect, it } from "vitest";
import type { EventEnvelope } from "../../../shared/contracts/events/events.ts";
import { toTimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { readTimeline } from "../../../shared/use-cases/payments/read-timeline.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, callBy, partnerId, type Platform } from "../../support/platform.ts";
import { readEvents } from "../../support/read-events.ts";

/** An accepted payment, and a server that fails for this number of delivery attempts. */
async function aFailingServer(failures: number) {
  const platform = await aPlatform();
  const { webhooks } = platform.deps;
  const { send } = webhooks;
  webhooks.send = async (request) => {
    const answer = await send(request); // records it, and would report the delivery
    return platform.webhooksSent.length <= failures ? { kind: "failed", reason: "status", status: 500, ms: 1 } : answer;
  };
  const payment = await aPaymentOn(platform);
  await payment.sendReport("accepted", {}, "wait");
  const subject = paymentSubjectOf(payment.key);
  const attempts = async () => (await platform.deps.commands.attempts(subject)).map(({ attempt }) => attempt);
  return { platform, attempts, subject };
}

describe("a webhook whose server fails", () => {
  it.each([
    [0, [1, 2, 3, 4, 5]],
    [3, [1, 2]],
  ])("has one series of attempts although its announcement is duplicated %i times", async (copies, made) => {
    const { platform, attempts } = await aFailingServer(4);
    const announced = platform.queued.filter(({ queue }) => queue === "webhook-deliveries");
    expect(announced).toHaveLength(1);
    for (let i = 0; i < copies; i++) platform.queued.push(...structuredClone(announced));
    await platform.pass(60);
    expect(platform.webhooksSent).toHaveLength(5); // each copy makes the first attempt, and none continues
    expect(await attempts()).toEqual(made);
    expect(new Set(platform.webhooksSent.map(({ id }) => id)).size).toBe(1);
  });

  it("makes an attempt twice when its record is lost, and the next one once", async () => {
    const { platform, attempts } = await aFailingServer(4);
    const { commands } = platform.deps;
    const { recordAttempt } = commands;
    commands.recordAttempt = async () => {
      commands.recordAttempt = recordAttempt;
      throw new Unavailable("the note was lost");
    };
    await platform.pass(60);
    expect(platform.webhooksSent).toHaveLength(5);
    expect(await attempts()).toEqual([1, 2, 3, 4]);
    expect(platform.queued.filter(({ queue }) => queue.startsWith("webhook"))).toEqual([]);
  });

  it("continues with its own schedule if a message claims that it is over", async () => {
    const { platform, attempts } = await aFailingServer(4);
    await platform.pass();
    const [retry] = platform.queued.filter(({ queue }) => queue === "webhook-retries");
    if (!retry || !("effect" in retry.announcement)) throw new Error("no attempt is scheduled");
    platform.queued.push({ ...retry, announcement: { ...retry.announcement, attempt: 10 } });
    await platform.pass(60);
    expect(await attempts()).toEqual([1, 2, 3, 4, 5]);
  });

  it("is delivered although a message overtakes the records of its attempts", async () => {
    const { platform, attempts, subject } = await aFailingServer(2);
    const at = platform.queued.findIndex(({ queue }) => queue === "webhook-deliveries");
    const announced = platform.queued[at];
    if (!announced || !("effect" in announced.announcement)) throw new Error("no webhook is announced");
    const claiming = { ...announced.announcement, attempt: 2 };
    platform.queued.splice(at, 1, { ...announced, queue: "webhook-retries", announcement: claiming });
    await platform.pass();
    const [first] = await platform.deps.commands.attempts(subject);
    if (!first) throw new Error("no attempt was made");
    await platform.deps.commands.recordAttempt(subject, { ...first, attempt: 2 }); // late
    await platform.pass(60);
    expect(await attempts()).toEqual([1, 2, 3, 4]);
    expect(platform.queued.filter(({ queue }) => queue.startsWith("webhook"))).toEqual([]);
  });

  it("is retried on its own queue", async () => {
    const { platform } = await aFailingServer(1);
    await platform.pass();
    const waiting = platform.queued.filter(({ queue }) => queue.startsWith("webhook"));
    expect(waiting).toMatchObject([{ queue: "webhook-retries", announcement: { attempt: 1 } }]);
    await platform.pass(60);
    expect(platform.webhooksSent).toHaveLength(2);
  });

  it.each([
    ["at the end of its schedule", undefined, { attempt: 2, outcome: "status", status: 500 }],
    ["when the server responds 410", 410, { attempt: 1, outcome: "gone", status: 410 }],
  ])("is named in the log as given up %s", async (_, gone, line) => {
    const { platform, attempts } = await aFailingServer(9);
    const { webhooks } = platform.deps;
    if (gone) webhooks.send = async () => ({ kind: "gone", status: gone, ms: 1 });
    webhooks.nextAttemptAfter = (attempt: number) => (attempt < 2 ? 5 : undefined);
    await platform.pass(60);
    expect(await attempts()).toHaveLength(line.attempt);
    const named = { level: "warning", partner: partnerId, effect: "webhook~payment.inProgress", ...line };
    expect(platform.log.of("webhookGivenUp")).toMatchObject([named]);
  });

  it("has the reason of a TLS or HTTP error in the log, and in the timeline of its partner", async () => {
    const { platform, subject } = await aFailingServer(0);
    const { deps } = platform;
    const { webhooks } = deps;
    webhooks.send = async () => ({ kind: "failed", reason: "tls", code: "CERT_HAS_EXPIRED", ms: 1 });
    webhooks.nextAttemptAfter = () => undefined;
    await platform.pass(1);
    const why = { outcome: "tls", reason: "CERT_HAS_EXPIRED" };
    expect(platform.log.of("webhookAttempt")).toMatchObject([why]);
    expect(platform.log.of("webhookGivenUp")).toMatchObject([why]);
    const timeline = await readTimeline(deps, callBy(deps), subject.sessionId);
    expect(timeline.ok && toTimelineObject(timeline.value).webhooks).toMatchObject([why]);
  });

  it("is not logged as such once it was delivered", async () => {
    const { platform } = await aFailingServer(2);
    await platform.pass(60);
    expect(platform.log.of("webhookGivenUp")).toEqual([]);
    const tried = platform.log.of("webhookAttempt").map(({ attempt, outcome, dueMs }) => [attempt, outcome, dueMs]);
    expect(tried).toEqual([
      [1, "status", 5_000],
      [2, "status", 5_000],
      [3, "delivered", undefined],
    ]);
  });

  it("that is postponed is tried 2, 4 and 8 seconds later, without counting as an attempt", async () => {
    const { platform, attempts } = await aFailingServer(0);
    const { webhooks } = platform.deps;
    const { send } = webhooks;
    const calledAt: string[] = [];
    webhooks.send = async (request) => {
      calledAt.push(request.at);
      return calledAt.length <= 3 ? "postponed" : send(request);
    };
    await platform.pass(60);
    const [first = ""] = calledAt;
    expect(calledAt.map((at) => (Date.parse(at) - Date.parse(first)) / 1000)).toEqual([0, 2, 6, 14]);
    expect(await attempts()).toEqual([1]);
    expect(platform.webhooksSent).toHaveLength(1);
  });
});

describe("a change of a payment", () => {
  /** The events of the partner's feed, each with its cause. Those by the partner name its key. */
  async function inFeed({ deps }: Platform) {
    const { keyId } = callBy(deps);
    const read = await readEvents(deps);
    const events = read.ok ? read.value.bodies.map((body) => JSON.parse(body) as EventEnvelope) : [];
    for (const { causedBy, keyID } of events) expect(keyID).toBe(causedBy === "partner" ? keyId : undefined);
    return events.map(({ type, causedBy }) => `${type} by ${causedBy}`);
  }

  it("that the partner's own call makes is in its feed, in the order of the changes, and is not sent", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("accepted", { messageId });
    await payment.reduce(10, { discountId: "d1" });
    await payment.sendReport("authorized", { ...approval, messageId });
    await payment.capture();
    await payment.sendReport("captured", { chargeId: approval.chargeId });
    await payment.refund(25, { refundId: "r1" });
    await payment.withdraw("r1");
    await platform.pass();
    const changes = await inFeed(platform);
    expect(changes).toEqual([
      "payment.inProgress by terminal",
      "discount.requested by partner",
      "payment.authorized by terminal",
      "discount.refused by terminal",
      "payment.captureRequested by partner",
      "payment.captured by terminal",
      "refund.requested by partner",
      "refund.failed by partner",
    ]);
    const sent = changes.filter((change) => change.endsWith(" terminal")).map((change) => change.split(" ")[0]);
    expect(payment.events()).toEqual(sent);
  });

  it("that its cancel makes has one event, which also shows the end of its open discount", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.reduce(10);
    await payment.cancel();
    await platform.pass();
    expect(await inFeed(platform)).toEqual(["discount.requested by partner", "payment.cancelled by partner"]);
    const read = await readEvents(platform.deps);
    const last = read.ok ? read.value.bodies.at(-1) : undefined;
    expect(JSON.parse(last ?? "")).toMatchObject({ data: { discounts: [{ status: "refused" }] } });
    expect(platform.webhooksSent).toEqual([]);
  });

  it("that the platform or an operator makes says so", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.fetch();
    await platform.pass(31); // it was not accepted in time
    const seen = { ...payment.key, sequence: (await payment.now()).sequence };
    const said = { of: "payment", outcome: "unpaid", by: "ada", why: "the acquirer's list" } as const;
    await recordResolution(platform.deps, aCall(platform.deps), seen, said);
    await platform.pass();
    expect(await inFeed(platform)).toEqual(["payment.reconciling by platform", "payment.failed by operator"]);
  });
});
