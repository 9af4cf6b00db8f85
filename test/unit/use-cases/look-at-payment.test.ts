import { describe, expect, it } from "vitest";
import { terminalId } from "../../support/platform.ts";
import { aPayment, approval } from "../../support/a-payment.ts";

describe("a passed deadline", () => {
  it("ends a payment that the terminal has not fetched: expired, terminalUnreachable", async () => {
    const payment = await aPayment();
    await payment.platform.pass(31);
    expect(await payment.now()).toMatchObject({ status: "expired", statusReason: "terminalUnreachable" });
    expect(await payment.fetch()).toBeUndefined();
    expect(payment.events()).toEqual(["payment.expired"]);
    await payment.platform.pass(1);
    expect(await payment.platform.deps.inboxes.unanswered(terminalId)).toEqual([]);
  });

  it("sends a void again whose message was removed", async () => {
    const payment = await aPayment();
    await payment.sendReport("authorized", approval);
    await payment.cancel();
    await payment.platform.pass();
    const { retention } = payment.platform.deps;
    const { sessionId, createdAt } = await payment.now();
    await retention.removeMessages(await retention.messagesOf({ terminalId, createdAt, sessionId }));
    expect(await payment.open()).toEqual([]);
    await payment.platform.pass(6 * 3600 + 1);
    const back = await payment.fetch();
    expect(back?.message).toMatchObject({ type: "void", chargeId: "charge-1" });
    await payment.sendReport("voided", { chargeId: "charge-1", messageId: back?.messageId });
    expect(await payment.now()).toMatchObject({ status: "voided" });
  });

  it("leaves a fetched payment reconciling, with a status query", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.platform.pass(31);
    expect(await payment.now()).toMatchObject({ status: "reconciling", statusReason: "outcomeUnknown" });

    await payment.sendReport("notStarted");
    expect(await payment.now()).toMatchObject({ status: "expired" });
  });

  it("at expiresAt cancels the payment, then leaves it reconciling, and a late approval is voided", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    await payment.platform.pass(121);
    expect(await payment.now()).toMatchObject({ status: "cancelRequested", cancelRequestedBy: "platform" });
    await payment.platform.pass(61);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });

    await payment.sendReport("authorized", approval);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
    await payment.sendReport("voided", { chargeId: "charge-1" });
    expect(await payment.now()).toMatchObject({ status: "voided" });
  });

  it("is no partner's cancel: after a cancel of both, a terminal that obeys ends the payment as before, and an approval in time is given back", async () => {
    const afterBoth = async () => {
      const payment = await aPayment();
      await payment.sendReport("accepted");
      await payment.platform.pass(121);
      expect(await payment.cancel()).toMatchObject({ ok: true });
      const { sequence } = await payment.now();
      expect(await payment.cancel()).toMatchObject({ ok: true });
      expect(await payment.now()).toMatchObject({ status: "cancelRequested", sequence });
      return payment;
    };
    const obeyed = await afterBoth();
    await obeyed.sendReport("cancelled");
    expect(await obeyed.now()).toMatchObject({ status: "expired", statusReason: "deadlinePassed" });

    const approved = await afterBoth();
    await approved.platform.pass(61);
    expect(await approved.now()).toMatchObject({ status: "reconciling" });
    await approved.sendReport("authorized", { ...approval, agoMs: 180_000 });
    expect(await approved.now()).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
  });

  it("leaves the payment to its partner's cancel while it is in doubt", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.platform.pass(121);
    await payment.platform.pass(61);
    await payment.cancel();
    await payment.sendReport("authorized", { ...approval, agoMs: 180_000 });
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
  });

  it("at expiresAt ends the payment as expired when the terminal obeys the cancel", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.platform.pass(121);
    await payment.sendReport("cancelled");
    expect(await payment.now()).toMatchObject({ status: "expired", statusReason: "deadlinePassed" });
  });

  it("voids an approval that the partner does not capture after 36 hours", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", approval);
    await payment.platform.pass(36 * 3600 + 1);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "notCaptured" });
  });

  it("of another charge's reversal leaves no doubt about a void that the terminal has answered", async () => {
    const payment = await aPayment();
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-1" });
    await payment.sendReport("authorized", {
      ...approval,
      chargeId: "charge-2",
      acquirer: { authorisationCode: "B2" },
    });
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("voided", { chargeId: "charge-1" });
    await payment.platform.pass(601);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "cancelledByPartner" });
    await payment.sendReport("voided", { chargeId: "charge-2" });
    expect(await payment.now()).toMatchObject({ status: "voided", statusReason: "cancelledByPartner" });
  });

  it("of a void that the terminal fetched and did not answer leaves only the next try in its inbox", async () => {
    const payment = await aPayment();
    await payment.sendReport("authorized", approval);
    await payment.sendReport("authorized", {
      ...approval,
      chargeId: "charge-2",
      acquirer: { authorisationCode: "B2" },
    });
    const first = await payment.fetch();
    await payment.platform.pass(6 * 3600 + 1);
    const next = await payment.fetch(first?.messageId);
    expect([first?.message.type, next?.message.type]).toEqual(["void", "void"]);
    expect(next?.messageId).not.toBe(first?.messageId);
    const { deps } = payment.platform;
    const unanswered = await deps.inboxes.unanswered(terminalId);
    expect(unanswered.map(({ messageId }) => messageId)).toEqual([next?.messageId]);
  });

  it("keeps a void due that the terminal does not fetch, and calls an operator once a day from the second day on", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    await payment.cancel();
    await payment.sendReport("authorized", approval);
    const raised = async () => {
      const { sessionId } = await payment.now();
      const found = await payment.platform.deps.alerts.of(sessionId);
      return found.map(({ alert: { kind, about, count } }) => ({ kind, about, count }));
    };
    await payment.platform.pass(42 * 3600 + 60);
    expect(await raised()).toEqual([]);
    await payment.platform.pass(6 * 3600);
    expect(await raised()).toEqual([{ kind: "reversalFailed", about: "charge-1", count: 1 }]);
    await payment.platform.pass(18 * 3600);
    expect(await raised()).toMatchObject([{ count: 1 }]);
    await payment.platform.pass(6 * 3600);
    expect(await raised()).toMatchObject([{ count: 2 }]);
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      charges: [{ status: "reversing", tries: 0 }],
    });

    await payment.sendReport("voided", { chargeId: "charge-1" });
    await payment.platform.pass(7 * 3600);
    expect(await payment.now()).toMatchObject({ status: "voided" });
    expect(await raised()).toMatchObject([{ count: 2 }]);
  });

  it("gives up the void of an uncaptured approval that the terminal has not fetched for thirty days: the payment says so once", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", approval);
    await payment.platform.pass(36 * 3600);
    await payment.platform.pass(30 * 24 * 3600 - 60);
    expect(await payment.open()).toEqual(["void"]);
    await payment.platform.pass(6 * 3600);
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      statusReason: "voidFailed",
      charges: [{ status: "reversalFailed" }],
    });
    expect(await payment.fetch()).toBeUndefined();
    expect(payment.events().slice(-3)).toEqual([
      "payment.authorized",
      "payment.voidRequested",
      "payment.voidRequested",
    ]);
    await payment.sendReport("voided", { chargeId: "charge-1" });
    expect(await payment.now()).toMatchObject({ status: "voided", statusReason: "notCaptured" });
  });
});

describe.each(["stillRunning", "accepted"] as const)("a terminal that reports nothing except %s", (word) => {
  const runsAfter = async (seconds: number) => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.platform.pass(31);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    await payment.platform.pass(seconds - 31);
    await payment.sendReport(word);
    return payment;
  };

  it("ends the doubt within an hour of the payment's creation, and the payment is cancelled when it expires", async () => {
    const payment = await runsAfter(3599);
    expect(await payment.now()).toMatchObject({ status: "cancelRequested", cancelRequestedBy: "platform" });
  });

  it("leaves the payment in doubt after that, with an alert at once and a day later", async () => {
    const payment = await runsAfter(3600);
    const last = async () => (await payment.platform.deps.payments.history(payment.key)).at(-1);
    expect(await last()).toMatchObject({ event: word, alerts: [{ kind: "outcomeUnknown" }] });
    const events = payment.events();
    await payment.platform.pass(24 * 3600);
    expect(await last()).toMatchObject({ event: "doubtOverdue", alerts: [{ kind: "outcomeUnknown" }] });
    const queued = payment.platform.queued.length;
    await payment.platform.pass(24 * 3600);
    expect(await payment.now()).toMatchObject({ status: "reconciling", statusReason: "outcomeUnknown" });
    expect({ events: payment.events(), queued: payment.platform.queued.length }).toEqual({ events, queued });
    await payment.sendReport("declined");
    expect(await payment.now()).toMatchObject({ status: "declined" });
  });
});

describe("a terminal that never reports on a refund", () => {
  it("raises an alert for its unknown outcome a day later", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    await payment.sendReport("authorized", approval);
    await payment.platform.pass();
    await payment.refund(25);
    while ((await payment.fetch())?.message.type !== "refund") await payment.sendReport("acknowledged");
    await payment.platform.pass(601);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "pending", statusReason: "outcomeUnknown" }] });
    await payment.platform.pass(24 * 3600);
    const [alert, ...more] = await payment.platform.deps.alerts.listOpen();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ kind: "outcomeUnknown", about: (await payment.now()).refunds[0]?.refundId });
  });
});
