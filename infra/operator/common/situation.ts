import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { payableAmount, type Payment } from "../../../shared/domain/payment/record/payment.ts";

/**
 * How a payment stands, without identifiers and amounts: everything on which the operator's sentences about it depend. Two payments of one
 * situation get the same sentences but for names and amounts. A form such as
 * `captured settledByOperator captured=part charges=captured+reversing refunds=some doubt=discount`; a part that says nothing is left out.
 */
export function situationOf(payment: Payment): string {
  const { status, statusReason, statusDetail } = payment;
  const parts = {
    captured: captureOf(payment),
    charges: listed(payment.charges.map((charge) => `${charge.status}${foreign(payment, charge.currency)}`)),
    refunds: listed(refundsOf(payment)),
    doubt: listed(doubtsOf(payment)),
    detail: statusDetail === undefined ? "" : "given",
  };
  const said = Object.entries(parts).flatMap(([name, text]) => (text === "" ? [] : [`${name}=${text}`]));
  return [status, ...(statusReason === undefined ? [] : [statusReason]), ...said].join(" ");
}

/** The captured amount beside the amount to pay. */
function captureOf(payment: Payment): string {
  const { captured } = merchantMoney(payment);
  if (captured === 0) return "";
  const payable = payableAmount(payment);
  if (captured === payable) return "all";
  return captured < payable ? "part" : "more";
}

const foreign = (payment: Payment, currency: string): string => (currency === payment.currency ? "" : ":foreign");

/** The refunded part of the captured money, and the open refunds. */
function refundsOf(payment: Payment): readonly string[] {
  const { captured, refunded, open } = merchantMoney(payment);
  const made = refunded < captured ? "some" : refunded === captured ? "all" : "more";
  return [...(refunded > 0 ? [made] : []), ...open.flatMap((one) => (one.of === "refund" ? [one.is] : []))];
}

/** The doubts beside charges and refunds. */
const doubtsOf = (payment: Payment): readonly string[] => [
  ...(merchantMoney(payment).own === "unknown" ? ["payment"] : []),
  ...payment.discounts.flatMap((d) => (d.statusReason === "outcomeUnknown" ? ["discount"] : [])),
];

/** Each word once, sorted. */
const listed = (words: readonly string[]): string => [...new Set(words)].toSorted().join("+");
