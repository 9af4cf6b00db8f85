import type { Refusal } from "../../refusal.ts";
import type { Payment, PaymentState } from "../record/payment.ts";

/** A partner's request about an existing payment. */
type Operation = "cancel" | "capture" | "refund" | "discount";

/** A payment that a restore left in doubt refuses these until its terminal has answered. */
const later = "The terminal is asked for the state of the payment. Send the same request again in a minute.";
const again = "The payment has ended. To take money, request a new payment with a new sessionID.";
const nothing = "The payment has ended without captured money. There is nothing to refund.";
const unknown = "The outcome of the payment is not known yet. Wait for its next event.";
const cancelling = "The payment is being cancelled. Wait for its next event.";
const givenBack = "The money is being given back. To take it, request a new payment with a new sessionID.";

const inEveryEnd = (detail: string) => ({
  voided: detail,
  cancelled: detail,
  declined: detail,
  expired: detail,
  failed: detail,
});

/** The advice to a partner, if the payment's state does not allow the operation. */
const fitting: Readonly<Record<Operation, Readonly<Record<PaymentState, string>>>> = {
  cancel: {
    pending: later,
    inProgress: later,
    cancelRequested: cancelling,
    reconciling: unknown,
    authorized: later,
    captureRequested: "A capture is under way. Wait for its outcome: then refund the payment, or cancel it.",
    captured: "The payment is captured: refund it instead.",
    voidRequested: givenBack,
    ...inEveryEnd("The payment has ended. There is nothing to cancel."),
  },
  capture: {
    pending: "The payment is not approved yet. Wait for payment.authorized.",
    inProgress: "The payment is not approved yet. Wait for payment.authorized.",
    cancelRequested: cancelling,
    reconciling: unknown,
    authorized: later,
    captureRequested: "A capture of another amount is under way. To return a part, refund the difference after it.",
    captured: "The payment was captured with a different amount. To return a part, refund the difference.",
    voidRequested: givenBack,
    ...inEveryEnd(again),
  },
  refund: {
    pending: "Nothing is captured: cancel the payment instead.",
    inProgress: "Nothing is captured: cancel the payment instead.",
    cancelRequested: cancelling,
    reconciling: unknown,
    authorized: "Nothing is captured: cancel the payment instead.",
    captureRequested: "The capture is under way. Wait for payment.captured, then refund.",
    captured: later,
    voidRequested: "The money is being given back already. There is nothing to refund.",
    ...inEveryEnd(nothing),
  },
  discount: {
    pending: later,
    inProgress: later,
    cancelRequested: cancelling,
    reconciling: unknown,
    authorized: "The customer has paid the total. To take less, capture less.",
    captureRequested: "The customer has paid the total. To return a part, refund it after the capture.",
    captured: "The customer has paid the total. To return a part, refund it.",
    voidRequested: givenBack,
    ...inEveryEnd(again),
  },
};

/** Refuses the operation because of the payment's state, and says what fits instead. */
export const unfit = (operation: Operation, { status: currentStatus }: Payment): Refusal<"invalid_state"> => ({
  code: "invalid_state",
  currentStatus,
  detail: fitting[operation][currentStatus],
});
