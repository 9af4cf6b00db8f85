import { refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";

/** The merchant's money by a payment's own amounts, including charges that are being given back. */
export const held = ({ charges, ...payment }: Payment, currency: string): number =>
  charges.reduce(
    (sum, { status, captured = 0, ...charge }) =>
      charge.currency === currency && (status === "reversing" || status === "reversalFailed") ? sum + captured : sum,
    currency === payment.currency ? payment.amounts.captured - refundedAmount(payment) : 0,
  );
