import { describe, expect, it } from "vitest";
import { orderHold, orderOf } from "../../../shared/domain/payment/record/order.ts";
import type { ChargeState } from "../../../shared/domain/payment/record/charge.ts";
import { paymentStates, type PaymentState, type RefundState } from "../../../shared/domain/payment/record/payment.ts";
import { advance } from "../../../shared/domain/payment/life/advance.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";

describe("an order's reference", () => {
  it.each([undefined, {}, { orderId: "" }, { orderId: " \t\n\u00A0\u3000" }, { paymentId: "p" }])(
    "is not valid in %j",
    (references) => {
      expect(orderOf(aPaymentIn("pending", { references }))).toBeUndefined();
    },
  );

  it("keeps its surrounding blanks", () => {
    const payment = aPaymentIn("pending", { references: { orderId: " 7 " } });
    const { merchantId } = payment;
    expect(orderOf(payment)).toEqual({ merchantId, orderId: " 7 ", currency: "SEK", amount: 12_550 });
  });
});

describe("a payment's hold on its order", () => {
  const holds: Readonly<Record<PaymentState, string | undefined>> = {
    pending: "living",
    inProgress: "living",
    cancelRequested: "living",
    reconciling: "living",
    authorized: "approved",
    captureRequested: "approved",
    voidRequested: "approved",
    captured: "approved",
    voided: undefined,
    cancelled: undefined,
    declined: undefined,
    expired: undefined,
    failed: undefined,
  };

  it.each(paymentStates)("while it is %s follows from that state", (state) => {
    expect(orderHold(aPaymentIn(state, { charges: [] }))).toBe(holds[state]);
  });

  it("ends with a refund in full, once the terminal has made it", () => {
    const refund = {
      refundId: "r",
      idAsReceived: "R",
      names: [],
      amount: 12_550,
      reason: "",
      commandId: "c",
      sequence: 2,
    };
    const hold = (status: RefundState) =>
      orderHold(aPaymentIn("captured", { refunds: [{ ...refund, status, createdAt: now, updatedAt: now }] }));
    expect([hold("pending"), hold("failed"), hold("succeeded")]).toEqual(["approved", "approved", undefined]);
  });

  it.each([
    ["inProgress", "declined", false],
    ["inProgress", "authorized", false],
    ["pending", "withdrawnByCancel", false],
    ["cancelRequested", "cancelled", false],
    ["voidRequested", "voided", true],
  ] as const)(
    "is written to the order's list when it changes after the payment held its terminal: %s, %s",
    (status, event, isWritten) => {
      const payment = aPaymentIn(status, { references: { orderId: "7" }, charges: [] });
      const by = event === "withdrawnByCancel" ? "partner" : "terminal";
      const change = advance(payment, { event, by, now, timings, commandId: "c2" });
      const kinds = change?.effects.map(({ kind }) => kind);
      expect(kinds?.includes("orderUpdate")).toBe(isWritten);
    },
  );

  const afterTheEnd: readonly [ChargeState, string | undefined][] = [
    ["reversing", "givingBack"],
    ["reversalFailed", "approved"],
    ["reversed", undefined],
    ["voided", undefined],
  ];
  it.each(afterTheEnd)("after its end with a charge that is %s is %s", (status, hold) => {
    for (const state of ["cancelled", "declined", "expired", "failed", "voided"] as const)
      expect(orderHold(aPaymentIn(state, { charges: [aCharge(status)] }))).toBe(hold);
  });
});
