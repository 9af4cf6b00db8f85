import { isFinal, type Payment } from "./payment.ts";

/** The payment is final, and no refund or reversal waits for a terminal. */
export const paymentHasEnded = ({ status, refunds, charges }: Payment): boolean =>
  isFinal(status) &&
  refunds.every((refund) => refund.status !== "pending") &&
  charges.every((charge) => charge.status !== "reversing");
