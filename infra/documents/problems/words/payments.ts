import type { ProblemCode } from "../../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of payments, captures, refunds and discounts. */
export const ofPayments = {
  payment_not_found: {
    happened:
      "There is no payment with this `sessionID` that your key may see. A payment of another partner, or on a terminal that the key does not reach, gets the same response.",
    retry:
      "No, with one exception: if your payment request is still under way, or got no response, send that again first.",
    toDo: [
      "Compare the `sessionID` with the one of the request. Case does not matter.",
      "Check that the key belongs to the same partner and environment as that of the request.",
      "If the payment request got 409 or 422, there is no payment.",
      "If a cancel gets this code with that `detail`, it succeeded: mark the payment as not paid.",
    ],
  },
  payment_never_requested: {
    happened:
      "Your cancel took effect, although the payment was never requested (`cancelled` is `true`). Its `sessionID` cannot be requested for this terminal any more, however late the request comes. No card is charged.",
    retry: "No. The same cancel gets the same response.",
    toDo: [
      "Mark the payment as not paid. This is the success of a cancel, with a status of its own.",
      "To pay again, use a new `sessionID`.",
    ],
  },
  session_conflict: {
    happened:
      "This `sessionID` belongs to a payment with another merchant, terminal, amount, currency, capture mode or order. It may also have been cancelled before its request came. No second payment was made.",
    retry: "No. A `sessionID` names one payment for ever.",
    toDo: [
      "Read the payment under this `sessionID`: it may be the one that you want.",
      "Make a new UUID for another payment, and for another try after a decline. Never count upwards or use the order's number.",
      "If you repeat after a time-out, send the stored request, not a new one from the basket as it is now.",
    ],
  },
  possible_duplicate: {
    happened:
      "The order may be paid already, or is being paid: another session has the same merchant, `merchantReferences.orderId`, amount and currency. For a refund: one of the same amount and reason was made within a day. No money was moved. `sessionID` names the other session if it is yours.",
    retry: "Only when you know that a second one is meant.",
    toDo: [
      "Read the payment that `sessionID` names. If it is paid, you are done. If it is under way, wait for its end.",
      "If you mean a second payment of the order, such as the other half of a bill, send the request with `confirmDuplicate: true`.",
      "For another refund of the same amount, give it a `refundID` of its own.",
    ],
  },
  invalid_state: {
    happened:
      "The object exists, but its state does not allow this request. `currentStatus` is the payment's state now; `detail` may say more. Nothing was changed.",
    retry: "No, unless the state changes: read the payment first.",
    toDo: [
      "Read the payment. If it is what you wanted already (`captured`, `cancelled`), you are done.",
      "Refund a captured payment; it cannot be cancelled. Only an `authorized` payment can be captured, once, with one amount.",
      "While it is `reconciling`, its outcome is not known: wait for the webhook, or poll.",
      "Add discounts before the customer pays, one at a time: wait until the terminal has taken or refused the last one.",
      "An action request takes one response, the first.",
    ],
  },
  amount_exceeds_refundable: {
    happened:
      "With this refund, completed and pending refunds would exceed what was captured of the charge. Nothing was given back.",
    retry: "No, not with this amount. A pending refund that fails makes room again.",
    toDo: [
      "Read the payment: `amounts.captured` less `amounts.refunded` and `amounts.refundPending` is left.",
      "If you repeat a refund, send its `refundID`: then it is the same refund, not another.",
      "To refund a second charge that the merchant keeps, name its `chargeID`.",
    ],
  },
  idempotency_mismatch: {
    happened:
      "The name (`refundID`, `Idempotency-Key`, `discountID` or `actionRequestID`) was used for another request, with another amount, reason, charge or content. Nothing was done.",
    retry:
      "Yes, with the content of the first request: it then gets the first one's outcome. If you mean another request, give it a new name.",
    toDo: [
      "Store a request before you send it, and repeat what is stored.",
      "If you send `refundID` and `Idempotency-Key` together, both must belong to one refund.",
    ],
  },
  currency_mismatch: {
    happened: "The currency of the request, or of the voucher, is not the payment's. Nothing was changed.",
    retry: "No. The platform converts nothing.",
    toDo: [
      "Send the currency of the payment's own request.",
      "A voucher for an amount works only with payments in its currency.",
    ],
  },
  merchant_mismatch: {
    happened: "The terminal belongs to another merchant than `merchantID` names. No payment was made.",
    retry: "No.",
    toDo: [
      "Compare `merchantID` and `pointOfServiceID` with what the operator gave you: one of them belongs to another shop.",
      "If the terminal has moved to another merchant, the operator must register it there.",
    ],
  },
  terminal_mismatch: {
    happened: "The payment is on another terminal than `pointOfServiceID` names. Nothing was changed.",
    retry: "No.",
    toDo: ["Send the `pointOfServiceID` that the payment shows. Its refunds go to that terminal, too."],
  },
  target_required: {
    happened:
      "The request does not say what it is for, and nothing or more than one thing matches. Nothing was changed.",
    retry: "Yes, with the target.",
    toDo: [
      "Send what `detail` names: `sessionID` or `pointOfServiceID` for a discount, `pointOfServiceID` for a terminal's status, `actionRequestID` for a response.",
      "Always name the target. A request without it works with one terminal and is refused with two.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
