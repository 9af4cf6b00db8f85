import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import type { PageWords } from "./page-words.ts";

/** The problems of payments, captures, refunds and discounts. */
export const ofPayments = {
  payment_not_found: {
    happened:
      "There is no payment with this `sessionID` that your key may see. A payment of another partner, or on a terminal that the key does not reach, is answered in the same way.",
    retry:
      "No, but for one case: if your payment request is still under way, or got no answer, send that again first. A cancel that finds no payment has an effect: its `sessionID` can never be requested any more, and `detail` says so.",
    toDo: [
      "Compare the `sessionID` with the one of the request. Case does not matter.",
      "Check that the key is of the same partner and environment as that of the request.",
      "If the payment request was answered 409 or 422, there is no payment.",
      "If it answers a cancel with that `detail`, the cancel succeeded: mark the payment as not paid.",
    ],
  },
  session_conflict: {
    happened:
      "This `sessionID` belongs to a payment with another content: another merchant, terminal, amount, currency, capture mode or order. It may also have been cancelled before its request came. No second payment was made.",
    retry: "No. A `sessionID` names one payment for ever.",
    toDo: [
      "Read the payment under this `sessionID`: it may be the one that you want.",
      "For another payment, and for another try after a decline, make a new UUID. Never count upwards, and never take the order's number.",
      "If you repeat after a time-out, send the stored request and not a new one from the basket as it is now.",
    ],
  },
  possible_duplicate: {
    happened:
      "The order may be paid already, or is being paid. Another session has the same merchant, `merchantReferences.orderId`, amount and currency; or a refund of the same amount and reason was made within a day. Nothing was charged or given back. `sessionID` names the other session where it is yours.",
    retry: "Only once you know that a second one is meant.",
    toDo: [
      "Read the payment that `sessionID` names. If it is paid, you are done; if it runs, wait for its end.",
      "If a second payment of the order is meant, such as the other half of a bill, send the request with `confirmDuplicate: true`.",
      "For another refund of the same amount, give it a `refundID` of its own.",
    ],
  },
  invalid_state: {
    happened:
      "What the request is about exists, and its state does not allow this. `currentStatus` is the payment's state now, `detail` says more where there is more to say. Nothing was changed.",
    retry: "No, unless the state changes: read the payment first.",
    toDo: [
      "Read the payment. If it is what you wanted already (`captured`, `cancelled`), you are done.",
      "A captured payment is refunded and not cancelled. Only an `authorized` one is captured, once, with one amount.",
      "While it is `reconciling` its outcome is not known: wait for the webhook, or poll. It is never guessed.",
      "A discount is taken before the customer pays, one at a time: wait until the terminal has taken or refused the last one.",
      "An action request has one response, the first.",
    ],
  },
  amount_exceeds_refundable: {
    happened:
      "What was given back and is on its way back, with this refund, would be more than was captured of the charge. Nothing was given back.",
    retry: "No, with this amount. A pending refund that fails makes room again.",
    toDo: [
      "Read the payment: `amounts.captured` less `amounts.refunded` and `amounts.refundPending` is what is left.",
      "If you repeat a refund, send its `refundID`: then it is the same one and not another.",
      "Money of a second charge that the merchant keeps is refunded by naming its `chargeID`.",
    ],
  },
  idempotency_mismatch: {
    happened:
      "The name (`refundID`, `Idempotency-Key`, `discountID` or `actionRequestID`) was used for another request, with another amount, reason, charge or content. Nothing was done.",
    retry:
      "Yes, with the content of the first request; it then gets the first one's outcome. Or with a new name, if another one is meant.",
    toDo: [
      "Store a request before you send it, and repeat what is stored.",
      "With `refundID` and `Idempotency-Key` together, both must be of one refund.",
    ],
  },
  currency_mismatch: {
    happened: "The currency of the request, or of the voucher, is not the payment's. Nothing was changed.",
    retry: "No. The platform converts nothing.",
    toDo: [
      "Send the payment's own currency, as its request had it.",
      "A voucher of an amount is for payments in its currency alone.",
    ],
  },
  merchant_mismatch: {
    happened: "The terminal belongs to another merchant than `merchantID` names. No payment was made.",
    retry: "No.",
    toDo: [
      "Compare `merchantID` and `pointOfServiceID` with what the operator gave you: one of them is of another shop.",
      "If the terminal has moved to another merchant, the operator has to register it there.",
    ],
  },
  terminal_mismatch: {
    happened: "The payment is on another terminal than `pointOfServiceID` names. Nothing was changed.",
    retry: "No.",
    toDo: [
      "Send the `pointOfServiceID` of the payment's own request: it shows in the payment. A refund goes to that terminal, too.",
    ],
  },
  target_required: {
    happened:
      "The request does not say what it is for, and more than one thing or none comes into question. Nothing was changed.",
    retry: "Yes, with the target.",
    toDo: [
      "Name it: `sessionID` or `pointOfServiceID` for a discount, `pointOfServiceID` for a terminal's status, `actionRequestID` for a response. `detail` says which.",
      "Name it always. What may be left out with one terminal is refused with two.",
    ],
  },
} as const satisfies Partial<Record<ProblemCode, PageWords>>;
