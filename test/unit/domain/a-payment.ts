import { openPayment } from "../../../shared/domain/payment/open-payment.ts";
import type { Payment, PaymentState } from "../../../shared/domain/payment/payment.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { aRequest, partnerId } from "../../support/platform.ts";

export const now = "2026-11-21T10:00:00.000Z";
export const timings = standardTimings;

/** A payment of 125.50 SEK in a state, with the amounts that belong to it. */
export function aPaymentIn(status: PaymentState, more: Partial<Payment> = {}): Payment {
  const context = { partnerId, strictOrder: false, possibleDuplicateOf: undefined, commandId: "c1", now, timings };
  const { payment } = openPayment(aRequest(), context);
  const approved = ["authorized", "captureRequested", "captured", "voidRequested", "voided"].includes(status);
  const { requested } = payment.amounts;
  return {
    ...payment,
    status,
    amounts: {
      ...payment.amounts,
      authorized: approved ? requested : 0,
      captured: status === "captured" ? requested : 0,
    },
    approvals: approved ? ["A1~"] : [],
    ...more,
  };
}
