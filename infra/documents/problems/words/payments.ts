import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of payments, captures, refunds and discounts. */
export const ofPayments = {
  payment_not_found: {
    happened:
      "There is no payment with this `sessionID`, or your key has no access to it. A key has access only to the payments of its partner on the key's terminals.",
    retry:
      "No, with one exception: if your payment request is still under way, or got no response, retry that request first.",
    toDo: [
      "Compare the `sessionID` with that of the payment request. Case does not matter.",
      "Check that the key belongs to the same partner and environment as the key of the payment request.",
      "If the payment request got 409 or 422, there is no payment.",
      "If a cancel gets this code, nothing was cancelled: the key has no access to the payment or the terminal.",
    ],
  },
  payment_never_requested: {
    happened:
      "Your cancel took effect, although the payment was never requested (`cancelled` is `true`). Its `sessionID` can never be requested for this terminal, even if a late request arrives. No card is charged.",
    always: ["cancelled"],
    retry: "No. The same cancel gets the same response.",
    toDo: [
      "Mark the payment as not paid. This response means that the cancel succeeded.",
      "To pay again, use a new `sessionID`.",
    ],
  },
  session_conflict: {
    happened:
      "This `sessionID` belongs to a payment with another merchant, terminal, amount, currency, capture mode, `tip` or order. Or the session was cancelled before its request arrived, or was requested at another terminal in the meantime, or the operator cannot read its payment any more. No second payment was made.",
    always: ["detail"],
    retry: "No. A `sessionID` identifies one payment permanently.",
    toDo: [
      "Read the payment under this `sessionID`: it may be the payment that you want.",
      "Make a new UUID for another payment, and for a new attempt after a decline. Never use a counter or the order's number.",
      "To retry after a time-out, send the stored request. Do not make a new one from the current basket.",
    ],
  },
  possible_duplicate: {
    happened:
      "The order may be paid already, or is being paid: another session has the same merchant, `merchantReferences.orderId`, amount and currency. `sessionID` names it if it is yours. Or your refund has no name, and one of the same amount and reason, `refundID`, was made at `refundedAt`. Or a refund of the same amount and reason, `refundID`, has waited for its terminal for more than a minute. This request moved no money.",
    sometimes: ["detail", "sessionID", "refundID", "Retry-After"],
    retry:
      "Only if you want a second payment or refund, or if `retryable` is `true`: then the same request, after the seconds in `Retry-After`.",
    toDo: [
      "If `retryable` is `true`, another request for the order has no outcome yet. It has one within 20 seconds.",
      "Read the payment that `sessionID` names. If it is paid, you are done. If it is under way, wait for its end.",
      "If you want a second payment of the order, such as the other half of a bill, send the request with `confirmDuplicate: true`.",
      "If you repeat a refund whose response you lost, read `refundStatus`. If it is `succeeded`, the refund is made. If it is `pending`, the refund waits for its terminal.",
      "If you want another refund of the same amount, send it with a new `refundID`. If the earlier one is `pending`, add `confirmDuplicate: true`, or withdraw it first. `confirmDuplicate` alone is 422.",
      "Name every refund: then only a refund that waits can cause this.",
    ],
  },
  invalid_state: {
    happened:
      "The object exists, but its state does not allow this request. `currentStatus` is the payment's current status, and `detail` says what fits instead. If a refund cannot be withdrawn, `refundID` and `refundStatus` are its name and state. A read gets this code only if the operator cannot read the payment any more. Nothing was changed.",
    always: ["detail"],
    sometimes: ["currentStatus", "refundID"],
    retry: "No, unless the state changes: read the payment first.",
    toDo: [
      "Do what `detail` says. If the payment already has the status that you want (`captured`, `cancelled`), you are done.",
      "If `detail` says that the operator cannot read the payment any more, ask the operator whether the customer has paid.",
      "If the terminal may have fetched a refund or a capture, it can no longer be withdrawn. Wait for its outcome.",
      "While a charge is `inDoubt` or `contradicted`, wait for an operator's decision.",
      "Add discounts before the customer pays, one at a time: wait until the terminal has applied or refused the previous one.",
      "An action request accepts only its first response.",
    ],
  },
  amount_exceeds_refundable: {
    happened:
      "With this refund, completed and pending refunds would exceed the captured amount of the charge. No money was returned.",
    always: ["errors"],
    retry: "No, not with this amount. If a pending refund fails, its amount can be refunded again.",
    toDo: [
      "`errors` names the amount that is left.",
      "To retry a refund, send its `refundID`: then the request cannot make another refund.",
      "To refund a second charge that the merchant keeps, send its `chargeID`.",
    ],
  },
  idempotency_mismatch: {
    happened:
      "The identifier (`refundID`, `Idempotency-Key`, `discountID` or `actionRequestID`) was used for a different request. That may be another operation or session, or another amount, reason, charge or `deliverWithinSeconds`. `sessionID` names the session of that request if it is yours. Nothing was done.",
    always: ["detail"],
    sometimes: ["sessionID"],
    retry:
      "Yes, with the content of the first request: the response then has the outcome of that request. For a different request, use a new identifier.",
    toDo: [
      "Store a request before you send it, and retry with the stored content.",
      "If you send `refundID` and `Idempotency-Key` together, both must belong to one refund.",
    ],
  },
  idempotency_in_progress: {
    happened:
      "Another request with this `Idempotency-Key` has no outcome yet. It has one within 20 seconds. This request did nothing.",
    always: ["Retry-After"],
    retry: "Yes: the same request with the same key, after the seconds in `Retry-After`.",
    toDo: ["Wait for the response to a request before you repeat it, or until your own time-out."],
  },
  currency_mismatch: {
    happened: "The currency of the request, or of the voucher, is not the payment's. Nothing was changed.",
    always: ["detail"],
    retry: "No. The platform does not convert currencies.",
    toDo: [
      "Send the currency of the payment, which `detail` names.",
      "A voucher for an amount works only with payments in its currency.",
    ],
  },
  merchant_mismatch: {
    happened: "The terminal does not belong to the merchant that `merchantID` names. No payment was made.",
    always: ["detail"],
    retry: "No.",
    toDo: [
      "`detail` names the terminal's merchant. Compare `merchantID` and `pointOfServiceID` with the values from the operator.",
      "If the terminal has moved to another merchant, the operator must register it there.",
    ],
  },
  terminal_mismatch: {
    happened: "The payment is not on the terminal that `pointOfServiceID` names. Nothing was changed.",
    always: ["detail"],
    retry: "No.",
    toDo: ["Send the `pointOfServiceID` of the payment, which `detail` names. Its refunds go to that terminal, too."],
  },
  target_required: {
    happened: "The request does not name its target, and none or more than one target matches. Nothing was changed.",
    always: ["detail"],
    retry: "Yes, with the target.",
    toDo: [
      "Send what `detail` names: `sessionID` or `pointOfServiceID` for a discount, `pointOfServiceID` for a terminal's status, `actionRequestID` for a response.",
      "Always name the target. A request without it works with one terminal and is refused with two.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
