import { describe, expect, it } from "vitest";
import { isFinal, paymentStates, type Refund } from "../../../shared/domain/payment/record/payment.ts";
import { doubtsOf, timeoutOf } from "../../../shared/domain/payment/life/timeouts.ts";
import { aPaymentIn, now } from "../../support/a-payment.ts";

const doubted: Refund = {
  refundId: "f1",
  idAsReceived: "F1",
  names: [],
  amount: 100,
  chargeId: "charge-2",
  reason: "",
  status: "pending",
  statusReason: "outcomeUnknown",
  commandId: "c3",
  sequence: 3,
  createdAt: now,
  updatedAt: now,
};
const ofRefund = { alert: "outcomeUnknown", about: "f1" };

describe("a day of doubt", () => {
  it.each(paymentStates.filter(isFinal))("is over for a payment that is %s, but not for its refund", (state) => {
    const payment = aPaymentIn(state, { statusReason: "outcomeUnknown" });
    expect(doubtsOf(payment, undefined)).toEqual([]);
    expect(doubtsOf({ ...payment, refunds: [doubted] }, "f1")).toEqual([ofRefund]);
    expect(timeoutOf({ ...payment, refunds: [doubted] }, { name: "doubt", about: "f1" })?.overdue).toBe("doubtOverdue");
  });

  it.each(["reconciling", "captureRequested", "voidRequested"] as const)("raises an alert: %s", (state) => {
    const payment = aPaymentIn(state, { statusReason: "outcomeUnknown" });
    expect(doubtsOf(payment, undefined)).toEqual([{ alert: "outcomeUnknown" }]);
  });
});
