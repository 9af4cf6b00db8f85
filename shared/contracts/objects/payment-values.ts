import { changeClauses, reasonClauses, refundReasonClauses, stateClauses } from "../payment-words.ts";
import { sentences, values } from "../values.ts";

// The enumerations of a payment in responses and events.

export const paymentStatus = values("PaymentStatus", "The payment's status.", sentences(stateClauses));

export const paymentStatusReason = values("PaymentStatusReason", "The reason of the status.", sentences(reasonClauses));

export const chargeStatus = values(
  "ChargeStatus",
  "The charge's status. The payment's own charge is `authorized` or `captured`, like the payment. If it is given back, it is `reversing`, then `voided`. Every other charge is reversed, unless an operator keeps it.",
  {
    authorized: "The money is held on the card.",
    captured: "The merchant has the money.",
    voided: "The payment's own charge was given back.",
    reversing: "The platform has asked the terminal to return the money.",
    reversed: "The money was returned.",
    reversalFailed: "The terminal could not return the money. An operator returns it.",
    kept: "An operator found that the merchant has this money in addition to the payment's own. It counts in `captured`, and can be refunded by its `chargeID`.",
    inDoubt:
      "The terminal contradicts what was recorded: a charge was captured after it had been given back, or is not the one that an operator recorded. Until an operator decides, the charge does not count, and new refunds are refused.",
  },
);

export const refundStatus = values("RefundStatus", "The refund's status.", {
  pending: "The terminal has not reported the refund yet.",
  succeeded: "The money was returned.",
  failed: "No money was returned.",
});

export const refundStatusReason = values(
  "RefundStatusReason",
  "The reason of the status.",
  sentences(refundReasonClauses),
);

export const discountStatus = values("DiscountStatus", "The discount's status.", {
  requested: "The terminal has not reported it yet.",
  applied: "The terminal applied it, and it counts.",
  refused: "The discount does not count.",
});

export const discountStatusReason = values("DiscountStatusReason", "The reason of the status.", {
  voucherUnavailable: "The voucher cannot be used, and the terminal never got the discount.",
  outcomeUnknown: "The paid amount does not show whether the terminal applied it.",
});

export const actor = values("Actor", "The actor.", {
  partner: "You, by a request.",
  terminal: "The terminal, by a report.",
  platform: "The platform, for example at a deadline.",
  operator: "An operator of the platform.",
});

export const paymentChange = values("PaymentChange", "The change. `by` is the actor.", sentences(changeClauses));
