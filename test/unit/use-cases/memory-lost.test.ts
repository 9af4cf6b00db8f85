import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nameOfSubject } from "../../../shared/domain/alert.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { terminalId } from "../../support/platform.ts";

type APayment = Awaited<ReturnType<typeof aPayment>>;

/** The terminal starts anew, and says whether it knows what it had. */
async function restart({ platform }: APayment, memory: "kept" | "lost") {
  const { deps } = platform;
  const caller = await deps.terminals.find(terminalId);
  if (!caller) throw new Error("the terminal is gone");
  await requeryAfterRestart(deps, { ...aCall(deps), caller }, { reportId: randomUUID(), memory });
  await platform.pass();
}

const alertsOf = async ({ platform, sessionId }: APayment) =>
  (await platform.deps.alerts.open()).filter(({ subject }) => nameOfSubject(subject) === sessionId);

describe("a terminal that lost its memory over a payment", () => {
  it.each(["notStarted", "cancelled", "declined", "failed"] as const)(
    "is not believed that it %s: the payment stays in doubt, and an operator is called",
    async (denial) => {
      const payment = await aPayment();
      await payment.fetch();
      await payment.tell("accepted");
      await restart(payment, "lost");
      await payment.tell(denial);
      expect(await payment.now()).toMatchObject({ status: "reconciling", statusReason: "outcomeUnknown" });
      expect(await alertsOf(payment)).toMatchObject([{ kind: "outcomeUnknown", status: "open" }]);
    },
  );

  it("is believed that it charged a card", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.tell("accepted");
    await restart(payment, "lost");
    await payment.tell("authorized", approval);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", charges: [{ status: "reversing" }] });
    await payment.tell("voided", approval);
    expect(await payment.now()).toMatchObject({ status: "voided" });
  });

  it("does not put a payment in doubt that it has not fetched", async () => {
    const payment = await aPayment();
    await restart(payment, "lost");
    expect(await payment.now()).toMatchObject({ status: "pending" });
  });

  it("does not put a capture back that it may have made", async () => {
    const payment = await aPayment();
    await payment.tell("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.tell("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    await restart(payment, "lost");
    await payment.tell("captureFailed", approval);
    expect(await payment.now()).toMatchObject({ status: "captureRequested", statusReason: "outcomeUnknown" });
    await payment.tell("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
  });

  describe("and had fetched a refund", () => {
    async function aFetchedRefund() {
      const payment = await aPayment({ captureMode: "automatic" });
      await payment.tell("accepted", { messageId: (await payment.fetch())?.messageId });
      await payment.tell("authorized", approval);
      const refundId = randomUUID();
      await payment.refund(40, { refundId });
      const message = await payment.fetch();
      expect(message?.message).toMatchObject({ type: "refund" });
      await restart(payment, "lost");
      return { payment, refundId };
    }

    it("is not believed that it failed, and an operator is called", async () => {
      const { payment, refundId } = await aFetchedRefund();
      await payment.tell("refundFailed", { refundId });
      const doubted = { refundId, status: "pending", statusReason: "outcomeUnknown" };
      expect(await payment.now()).toMatchObject({ status: "captured", refunds: [doubted] });
      expect(await alertsOf(payment)).toMatchObject([{ kind: "outcomeUnknown", about: refundId, status: "open" }]);
    });

    it("is believed that it was made", async () => {
      const { payment, refundId } = await aFetchedRefund();
      await payment.tell("refunded", { refundId, amount: 4_000, currency: "SEK" });
      expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
      expect(await alertsOf(payment)).toEqual([]);
    });

    it("is not handed it out again: it may have been made", async () => {
      const { payment } = await aFetchedRefund();
      await payment.platform.pass(60);
      expect(await payment.fetch()).toBeUndefined();
    });
  });

  it("which it kept is believed what it says", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.tell("accepted");
    await restart(payment, "kept");
    await payment.tell("cancelled");
    expect(await payment.now()).toMatchObject({ status: "cancelled" });
  });
});
