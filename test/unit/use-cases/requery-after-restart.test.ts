import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nameOfSubject } from "../../../shared/domain/alert.ts";
import { after } from "../../../shared/domain/time.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { aRequest, aTerminal, callBy, partnerId, terminalId } from "../../support/platform.ts";

type APayment = Awaited<ReturnType<typeof aPayment>>;

/** The terminal starts again, and reports whether its memory was kept. */
async function restart(
  { platform }: APayment,
  memory: "kept" | "lost",
  { reportId = randomUUID(), deps = platform.deps }: { reportId?: string; deps?: typeof platform.deps } = {},
) {
  await requeryAfterRestart(deps, callFrom(deps, aTerminal()), { reportId, memory });
  await platform.pass();
}

const alertsOf = async ({ platform, sessionId }: APayment) =>
  (await platform.deps.alerts.listOpen()).filter(({ subject }) => nameOfSubject(subject) === sessionId);

describe("a terminal that lost its memory of a payment", () => {
  it.each(["notStarted", "cancelled", "declined", "failed"] as const)(
    "does not end the doubt by a report that it %s, and raises an alert",
    async (denial) => {
      const payment = await aPayment();
      await payment.fetch();
      await payment.sendReport("accepted");
      await restart(payment, "lost");
      await payment.sendReport(denial);
      expect(await payment.now()).toMatchObject({ status: "reconciling", statusReason: "outcomeUnknown" });
      expect(await alertsOf(payment)).toMatchObject([{ kind: "outcomeUnknown", status: "open" }]);
    },
  );

  it("ends the doubt by a report that it charged a card", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    await restart(payment, "lost");
    await payment.sendReport("authorized", approval);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", charges: [{ status: "reversing" }] });
    await payment.sendReport("voided", approval);
    expect(await payment.now()).toMatchObject({ status: "voided" });
  });

  it("does not put a payment in doubt that it has not fetched", async () => {
    const payment = await aPayment();
    await restart(payment, "lost");
    expect(await payment.now()).toMatchObject({ status: "pending" });
  });

  it("does not put a payment in doubt whose message is still held, and gets that message", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.sendReport("declined");
    const { deps } = payment.platform;
    const next = aRequest();
    expect(await requestPayment(deps, callBy(deps), next)).toMatchObject({ ok: true });
    await requeryAfterRestart(deps, callFrom(deps, aTerminal()), { reportId: randomUUID(), memory: "lost" });
    await payment.platform.pass();
    expect((await deps.payments.find({ partnerId, ...next }))?.payment).toMatchObject({ status: "pending" });
    expect(await payment.fetch()).toMatchObject({ slot: { sessionId: next.sessionId }, message: { type: "payment" } });
  });

  it("does not undo a capture that it may have made", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    await restart(payment, "lost");
    await payment.sendReport("captureFailed", approval);
    expect(await payment.now()).toMatchObject({ status: "captureRequested", statusReason: "outcomeUnknown" });
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
  });

  it("again and again calls an operator a day after the first doubt about a capture, once", async () => {
    const payment = await aPayment();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    for (const hours of [0, 12, 8, 3]) {
      await payment.platform.pass(hours * 3600);
      await restart(payment, "lost");
    }
    expect(await alertsOf(payment)).toEqual([]);
    await payment.platform.pass(3600);
    expect(await alertsOf(payment)).toMatchObject([{ kind: "outcomeUnknown", count: 1 }]);
    await payment.platform.pass(48 * 3600);
    expect(await alertsOf(payment)).toMatchObject([{ count: 1 }]);
  });

  describe("and had fetched a refund", () => {
    async function aFetchedRefund() {
      const payment = await aPayment({ captureMode: "automatic" });
      await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
      await payment.sendReport("authorized", approval);
      const refundId = randomUUID();
      await payment.refund(40, { refundId });
      const message = await payment.fetch();
      expect(message?.message).toMatchObject({ type: "refund" });
      await restart(payment, "lost");
      return { payment, refundId };
    }

    it("does not end the refund's doubt by a report that it failed, and raises an alert", async () => {
      const { payment, refundId } = await aFetchedRefund();
      await payment.sendReport("refundFailed", { refundId });
      const doubted = { refundId, status: "pending", statusReason: "outcomeUnknown" };
      expect(await payment.now()).toMatchObject({ status: "captured", refunds: [doubted] });
      expect(await alertsOf(payment)).toMatchObject([{ kind: "outcomeUnknown", about: refundId, status: "open" }]);
    });

    it("ends the refund's doubt by a report that it was made", async () => {
      const { payment, refundId } = await aFetchedRefund();
      await payment.sendReport("refunded", { refundId, amount: 4_000, currency: "SEK" });
      expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
      expect(await alertsOf(payment)).toEqual([]);
    });

    it("does not get the refund again, since it may have been made", async () => {
      const { payment } = await aFetchedRefund();
      await payment.platform.pass(60);
      expect(await payment.fetch()).toBeUndefined();
    });
  });

  describe("and fetches a refund only after that", () => {
    /** A captured payment of a terminal that has restarted, and the identifier of that start. */
    async function aCapturedPayment() {
      const payment = await aPayment({ captureMode: "automatic" });
      await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
      await payment.sendReport("authorized", approval);
      return payment;
    }
    const refundOf = async (payment: APayment) => (await payment.now()).refunds[0];

    it("gets the refund again although its start is reported twice", async () => {
      const payment = await aCapturedPayment();
      const reportId = randomUUID();
      await payment.refund(10, { refundId: randomUUID() });
      await payment.fetch();
      await restart(payment, "lost", { reportId });
      expect(await refundOf(payment)).toMatchObject({ terminalForgot: true });

      const refundId = randomUUID();
      await payment.refund(20, { refundId });
      expect((await payment.fetch())?.message).toMatchObject({ type: "refund", refundId });
      await restart(payment, "lost", { reportId });
      expect((await payment.now()).refunds[1]).not.toHaveProperty("terminalForgot");
      await payment.platform.pass(11);
      expect((await payment.fetch())?.message).toMatchObject({ type: "refund", refundId });
    });

    it("gets the refund again although another poll changes the inbox while its start is recorded", async () => {
      const payment = await aCapturedPayment();
      const { deps } = payment.platform;
      await payment.refund(10, { refundId: randomUUID() });
      await payment.fetch();
      await payment.refund(20, { refundId: randomUUID() });
      let polled = 0;
      const payments: typeof deps.payments = {
        ...deps.payments,
        async commit(...given) {
          const open = polled > 0 ? [] : await deps.inboxes.unanswered(terminalId);
          for (const each of open) await deps.inboxes.lease(terminalId, each, after(deps.clock.now(), 10 + ++polled));
          return deps.payments.commit(...given);
        },
      };
      await restart(payment, "lost", { deps: { ...deps, payments } });
      expect(polled).toBe(2);
      const [first, second] = (await payment.now()).refunds;
      expect(first).toMatchObject({ terminalForgot: true });
      expect(second).not.toHaveProperty("terminalForgot");
      expect(await payment.open()).toEqual(["refund"]);
    });
  });

  it("and a terminal that kept it ends the doubt by any report", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    await restart(payment, "kept");
    await payment.sendReport("cancelled");
    expect(await payment.now()).toMatchObject({ status: "cancelled" });
  });
});
