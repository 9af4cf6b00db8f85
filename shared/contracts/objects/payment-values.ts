import { changeClauses, reasonClauses, refundReasonClauses, stateClauses } from "../payment-words.ts";
import { sentences, values } from "../values.ts";

// The enumerations of a payment in responses and events.

export const paymentStatus = values("PaymentStatus", "How the payment stands.", sentences(stateClauses));

export const paymentStatusReason = values("PaymentStatusReason", "Why it stands so.", sentences(reasonClauses));

export const chargeStatus = values(
  "ChargeStatus",
  "How the charge stands. The wanted charge is `authorized`, `captured` or `voided`, as the payment goes. Every other charge is given back, unless an operator keeps it.",
  {
    authorized: "The money is held on the card.",
    captured: "The merchant has the money.",
    voided: "The authorization is released, and no money moved.",
    reversing: "The platform asks the terminal to give the money back.",
    reversed: "The money was given back.",
    reversalFailed: "The terminal did not give the money back, and an operator does it.",
    kept: "An operator found that the merchant has this money in addition to the payment's own. It counts in `captured`, and can be refunded by its `chargeID`.",
    inDoubt:
      "An operator recorded that the payment is paid with another amount. Until an operator decides, the charge counts nowhere and new refunds are refused.",
  },
);

export const refundStatus = values("RefundStatus", "How the refund stands.", {
  pending: "The terminal has not reported the refund yet.",
  succeeded: "The money was given back.",
  failed: "Nothing was given back.",
});

export const refundStatusReason = values("RefundStatusReason", "Why it stands so.", sentences(refundReasonClauses));

export const discountStatus = values("DiscountStatus", "How the discount stands.", {
  requested: "The terminal has not reported it yet.",
  applied: "The terminal applied it, and it counts.",
  refused: "It does not count.",
});

export const discountStatusReason = values("DiscountStatusReason", "Why it stands so.", {
  voucherUnavailable: "The voucher was used or had ended, and the terminal never got the discount.",
  outcomeUnknown: "The paid amount does not show whether the terminal applied it.",
});

export const actor = values("Actor", "Who did it.", {
  partner: "You, by a request.",
  terminal: "The terminal, by a report.",
  platform: "The platform, for example at a deadline.",
  operator: "An operator of the platform.",
});

export const paymentChange = values("PaymentChange", "The change. `by` says who made it.", sentences(changeClauses));
