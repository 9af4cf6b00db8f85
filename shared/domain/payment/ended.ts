import { isFinal, type Payment } from "./payment.ts";

/** No money of it is under way any more: it is final, and no refund and no reversal waits for a terminal. */
export const paymentHasEnded = ({ status, refunds, charges }: Payment): boolean =>
  isFinal(status) &&
  refunds.every((refund) => refund.status !== "pending") &&
  charges.every((charge) => charge.status !== "reversing");
