import { describe, expect, it } from "vitest";
import { overduePayments, paymentsOfDay } from "../../../shared/use-cases/operator/repair/list-payments.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, partnerId, type Platform } from "../../support/platform.ts";
import { readEvents } from "../../support/read-events.ts";

const DAY = 24 * 3600;
const HOUR = 3600;
const lost = (platform: Platform) => platform.queued.splice(0);

async function repaired({ deps }: Platform, options: { all?: boolean; dryRun?: boolean } = {}) {
  const { announced } = await repair(deps, aCall(deps), { all: false, dryRun: false, ...options });
  return announced.map(({ effect }) => effect);
}
const overdue = async ({ deps }: Platform) => overduePayments(deps, aCall(deps));

/** A payment whose messages the queues lost all at once. */
async function aLostPayment() {
  const platform = await aPlatform();
  const { pass } = platform;
  platform.pass = async () => {};
  const payment = await aPaymentOn(platform);
  platform.pass = pass;
  lost(platform);
  return { platform, payment };
}

/** A payment whose server fails. The queues lose it after this many attempts. */
async function aFailingWebhook(attempts: number) {
  const platform = await aPlatform();
  const { send } = platform.deps.webhooks;
  platform.deps.webhooks.send = async (request) => {
    platform.webhooksSent.push(request);
    return { kind: "failed", reason: "status", status: 500, ms: 1 };
  };
  const payment = await aPaymentOn(platform);
  await payment.sendReport("accepted");
  while (platform.webhooksSent.length < attempts) await platform.pass(5);
  lost(platform);
  platform.deps.webhooks.send = send;
  return { platform, payment };
}

describe("repair", () => {
  it("announces overdue effects again, and no others", async () => {
    const { platform, payment } = await aLostPayment();
    await platform.pass(HOUR);
    await aPaymentOn(platform); // its deadline is still to come
    expect(await repaired(platform, { dryRun: true })).toEqual(["message", "look"]);
    expect(platform.queued.map(({ announcement }) => announcement.effect)).toEqual(["look"]);
    expect(await repaired(platform)).toEqual(["message", "look"]);
    await platform.pass(1);
    expect(await payment.now()).toMatchObject({ status: "expired" });
  });

  it("announces every undone effect on request, each deadline for its time", async () => {
    const { platform, payment } = await aLostPayment();
    expect(await repaired(platform)).toEqual([]);
    expect(await repaired(platform, { all: true })).toEqual(["message", "look"]);
    await platform.pass(1);
    expect(await payment.now()).toMatchObject({ status: "pending" });
    expect(await payment.fetch()).toBeDefined();
    await platform.pass(30);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
  });

  it("announces a message that was held for ten minutes, and its worker hands it out", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.sendReport("declined", { messageId: (await payment.fetch())?.messageId });
    await payment.sendReport("authorized", approval, "wait"); // it is given back by a void
    platform.queued.splice(0, Infinity, ...platform.queued.filter(({ queue }) => queue !== "terminal-messages"));
    await platform.pass(599);
    expect(await repaired(platform)).toEqual([]);
    expect(await payment.fetch()).toBeUndefined();
    await platform.pass(1);
    expect(await repaired(platform)).toEqual(["message"]);
    await platform.pass(1);
    expect((await payment.fetch())?.message.type).toBe("void");
    expect(await repaired(platform, { all: true, dryRun: true })).not.toContain("message");
  });

  it("announces no message that was released, whether it is handed out or answered", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    expect(await repaired(platform, { all: true, dryRun: true })).toEqual(["look"]);
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    expect(await repaired(platform, { all: true, dryRun: true })).toEqual(["look"]);
  });

  it.each([1, 3])("retries a webhook after %i failures, with the next number", async (attempts) => {
    const { platform, payment } = await aFailingWebhook(attempts);
    await platform.pass(HOUR);
    expect(await repaired(platform)).toContain("webhook~payment.inProgress");
    await platform.pass(1);
    expect(platform.webhooksSent).toHaveLength(attempts + 1 + 1); // one more for it, and one for its expiry
    const subject = paymentSubjectOf(payment.key);
    const sent = platform.webhooksSent.find(({ body }) => body.includes("payment.inProgress"));
    const made = (await platform.deps.commands.attempts(subject, sent?.id)).map((one) => one.attempt);
    expect(made).toEqual(Array.from({ length: attempts + 1 }, (_, i) => i + 1));
    expect(await repaired(platform, { all: true, dryRun: true })).not.toContain("webhook~payment.inProgress");
  });

  it("reads open subjects only", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.sendReport("declined");
    await platform.pass(HOUR);
    platform.deps.payments.find = async () => Promise.reject(new Error("nobody is to be read"));
    expect(await repaired(platform, { all: true })).toEqual([]);
  });

  it("enters the partner's own change into its feed if the announcement was lost", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.cancel();
    lost(platform);
    await platform.pass(HOUR);
    expect(await repaired(platform)).toEqual(["feedEntry~payment.cancelled"]);
    await platform.pass();
    expect(await readEvents(platform.deps)).toMatchObject({ value: { types: ["payment.cancelled"] } });
    expect(await repaired(platform)).toEqual([]);
  });

  it("announces the held message of a payment that has ended meanwhile", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.fetch();
    const { deps } = platform;
    const { send } = deps.announcements;
    const losing: typeof send = async (...given) => (given[0] === "terminal-messages" ? undefined : send(...given));
    deps.announcements.send = losing;
    await platform.pass(31); // so its status query is held
    deps.announcements.send = send;
    const seen = { ...payment.key, sequence: (await payment.now()).sequence };
    const said = { of: "payment", outcome: "unpaid", by: "ada", why: "the acquirer's list" } as const;
    expect(await recordResolution(deps, aCall(deps), seen, said)).toMatchObject({ ok: true });
    await platform.pass(600);
    expect(await payment.now()).toMatchObject({ status: "failed" });
    expect(await repaired(platform)).toEqual(["message"]);
    await platform.pass(1);
    expect((await payment.fetch())?.message.type).toBe("statusQuery");
  });

  it("announces what is left on a retired terminal", async () => {
    const { platform, payment } = await aLostPayment();
    const { partners, clock } = platform.deps;
    await partners.retireTerminal(partnerId, payment.terminalId, clock.now());
    await platform.pass(HOUR);
    expect(await repaired(platform)).toEqual(["message", "look"]);
  });
});

describe("the list of overdue payments", () => {
  it("has a payment with an effect that is not done ten minutes after its time", async () => {
    const { platform, payment } = await aLostPayment();
    await platform.pass(599);
    expect(await overdue(platform)).toEqual([]);
    await platform.pass(1);
    expect(await overdue(platform)).toMatchObject([
      { payment: { sessionId: payment.sessionId }, overdue: [{ effect: { kind: "message" } }], isStuck: false },
    ]);
  });

  it("has a payment whose outcome is still unknown once its last deadline has passed", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    await payment.fetch();
    await platform.pass(HOUR);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    expect(await overdue(platform)).toEqual([]);
    await platform.pass(DAY);
    expect(await overdue(platform)).toMatchObject([{ payment: { status: "reconciling" }, overdue: [], isStuck: true }]);
    await payment.sendReport("declined");
    expect(await overdue(platform)).toEqual([]);
  });

  it("has a payment with a refund of unknown outcome", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await payment.fetch();
    await payment.sendReport("authorized", approval);
    await payment.refund(25);
    await payment.fetch();
    await platform.pass(HOUR);
    expect(await overdue(platform)).toEqual([]);
    await platform.pass(DAY);
    expect(await overdue(platform)).toMatchObject([{ payment: { status: "captured" }, isStuck: true }]);
  });
});

describe("the list of a day's payments", () => {
  it("has them in their present state, the oldest first, without those that were never created", async () => {
    const platform = await aPlatform();
    const first = await aPaymentOn(platform);
    await platform.pass(1);
    const second = await aPaymentOn(platform);
    await second.sendReport("declined");
    await platform.deps.payments.leaveTombstone({ ...first.key, sessionId: "never" }, platform.deps.clock.now());
    expect(await paymentsOfDay(platform.deps, "2026-11-21")).toMatchObject([
      { sessionId: first.sessionId, status: "pending" },
      { sessionId: second.sessionId, status: "declined" },
    ]);
    expect(await paymentsOfDay(platform.deps, "2026-11-20")).toEqual([]);
  });
});
