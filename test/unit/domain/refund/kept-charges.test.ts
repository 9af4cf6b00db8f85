import { describe, expect, it } from "vitest";
import { isFinal, paymentStates, type Payment, type Refund } from "../../../../shared/domain/payment/record/payment.ts";
import { requestRefund } from "../../../../shared/domain/payment/requests/refund.ts";
import { refundRequest } from "../../../../shared/domain/payment/requests/refund-request.ts";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { aCharge, aPaymentIn, now, timings } from "../../../support/a-payment.ts";

const context = { now, commandId: "c9", timings };

/** Requests a refund in the major unit, of the named charge or of the payment's own money. */
function ask(payment: Payment, refundAmount: number, chargeId?: string, refundId?: string) {
  const input = { currency: "SEK", refundAmount, reason: "a return", refundId, chargeId };
  const request = refundRequest(payment, input, () => "f9");
  return request.ok ? requestRefund(payment, request.value, context) : request;
}

function made(payment: Payment, ...requested: [number, string?, string?]) {
  const decided = ask(payment, ...requested);
  if (!decided.ok || decided.value === "unchanged") throw new Error(`not made: ${JSON.stringify(decided)}`);
  return decided.value;
}

/** 125.50 of the payment's own if it is captured, and 50.00 of a charge that the merchant has kept in addition. */
function withKept(state: Payment["status"], more: Partial<Payment> = {}): Payment {
  const payment = aPaymentIn(state);
  return {
    ...payment,
    charges: [...payment.charges, aCharge("kept", { chargeId: "charge-2", amount: 5_000 })],
    amounts: { ...payment.amounts, captured: payment.amounts.captured + 5_000 },
    ...more,
  };
}
const tooMuch = { ok: false, error: { code: "amount_exceeds_refundable" } };

describe("a refund of a kept charge", () => {
  const states = paymentStates.filter((state) => isFinal(state) || state === "authorized" || state === "voidRequested");

  it.each(states)("is made under its chargeID, in any spelling, of a payment that is %s", (state) => {
    const change = made(withKept(state), 50, "CHARGE-2");
    expect(change.payment.status).toBe(state);
    expect(change.payment.refunds).toMatchObject([{ chargeId: "charge-2", amount: 5_000, status: "pending" }]);
    expect(change.effects).toMatchObject([
      { kind: "message", message: { type: "refund", chargeId: "charge-2", amount: 5_000 } },
      { kind: "feedEntry", type: "refund.requested", about: "f9" },
    ]);
    expect(change.payment.deadlines).toMatchObject([{ name: "outcome", about: "f9" }]);
    const report = { reportId: "r1", type: "refunded", refundId: "f9", amount: 5_000, currency: "SEK" } as const;
    expect(decideReport(change.payment, report, context, undefined).payment.refunds).toMatchObject([
      { status: "succeeded" },
    ]);
  });

  it("is limited only by that charge, as a refund of the payment's own money is limited by its own", () => {
    const payment = withKept("captured");
    expect(ask(payment, 50.01, "charge-2")).toMatchObject(tooMuch);
    expect(ask(payment, 125.51)).toMatchObject(tooMuch);
    const { payment: next } = made(payment, 50, "charge-2");
    expect(ask(next, 0.01, "charge-2")).toMatchObject(tooMuch);
    expect(made(next, 125.5, undefined, "own").payment.refunds).toHaveLength(2);
  });

  it("is refused once the charge was given back", () => {
    const charges = [aCharge("captured"), aCharge("reversed", { chargeId: "charge-2" })];
    expect(ask(aPaymentIn("captured", { charges }), 1, "charge-2")).toMatchObject({
      error: { code: "invalid_state", detail: "The charge is reversed, and is not captured." },
    });
  });

  it("is refused while another charge of the payment is in doubt", () => {
    const payment = withKept("captured");
    const charges = [...payment.charges, aCharge("inDoubt", { chargeId: "charge-3" })];
    expect(ask({ ...payment, charges }, 1, "charge-2")).toMatchObject({
      error: { code: "invalid_state", detail: expect.stringContaining("in doubt") as string },
    });
  });

  it("names a charge of the payment", () => {
    expect(ask(withKept("captured"), 1, "nobody")).toMatchObject({
      error: { code: "validation_failed", errors: [{ field: "chargeID" }] },
    });
  });

  it("needs the chargeID: without one the refusal says how to name it", () => {
    expect(ask(withKept("declined"), 1)).toMatchObject({
      error: { code: "invalid_state", detail: expect.stringContaining("chargeID") as string },
    });
    expect(ask(aPaymentIn("declined"), 1)).toMatchObject({
      error: { code: "invalid_state", detail: expect.not.stringContaining("chargeID") as string },
    });
  });
});

describe("a repeated refund request", () => {
  it("is the same refund with and without the chargeID of the payment's own charge", () => {
    const { payment } = made(withKept("captured"), 25, "charge-1", "r1");
    expect(payment.refunds[0]?.chargeId).toBeUndefined();
    expect(ask(payment, 25, undefined, "r1")).toEqual({ ok: true, value: "unchanged" });
  });

  it("of another charge is refused under the same name, and made without a name", () => {
    const { payment } = made(withKept("captured"), 25, "charge-2", "r1");
    expect(ask(payment, 25, undefined, "r1")).toMatchObject({ error: { code: "idempotency_mismatch" } });
    const unnamed: Refund[] = made(withKept("captured"), 25, "charge-2").payment.refunds.map((r) => ({ ...r }));
    expect(ask(withKept("captured", { refunds: unnamed }), 25, "charge-2")).toEqual({ ok: true, value: "unchanged" });
    expect(made(withKept("captured", { refunds: unnamed }), 25).payment.refunds).toHaveLength(2);
  });
});
