import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import { payableAmount, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { authorizedTip } from "./money-text.ts";

/**
 * Describes the state of a payment without identifiers and amounts. It includes everything that the operator's sentences depend on. Two
 * payments with the same description get the same sentences, apart from names and amounts. Example:
 * `captured settledByOperator captured=part charges=captured+reversing refunds=some doubt=discount`. Empty parts are left out.
 */
export function situationOf(payment: Payment): string {
  const { status, statusReason, statusDetail } = payment;
  const parts = {
    captured: captureOf(payment),
    tip: listed(tipsOf(payment)),
    charges: listed(payment.charges.map((charge) => chargeOf(payment, charge))),
    refunds: listed(refundsOf(payment)),
    doubt: listed(doubtsOf(payment)),
    detail: statusDetail === undefined ? "" : "given",
  };
  const said = Object.entries(parts).flatMap(([name, text]) => (text === "" ? [] : [`${name}=${text}`]));
  return [status, ...(statusReason === undefined ? [] : [statusReason]), ...said].join(" ");
}

/** Compares the captured amount without its tip with the amount to pay. */
function captureOf(payment: Payment): string {
  const { captured, tip } = merchantMoney(payment);
  if (captured === 0) return "";
  const payable = payableAmount(payment);
  if (captured - tip === payable) return "all";
  return captured - tip < payable ? "part" : "more";
}

/** Whether the merchant has a tip, and whether the authorized amount has one. */
const tipsOf = (payment: Payment): readonly string[] => [
  ...(merchantMoney(payment).heldTip > 0 ? ["held"] : []),
  ...(authorizedTip(payment) > 0 ? ["authorized"] : []),
];

/** The charge's state. `captured` marks an authorized charge whose capture nobody requested. */
function chargeOf(payment: Payment, { status, currency, captured, contradicted }: Charge): string {
  const marks = {
    foreign: currency !== payment.currency,
    captured: status === "authorized" && captured !== undefined,
    contradicted,
  };
  return [status, ...Object.entries(marks).flatMap(([mark, has]) => (has ? [mark] : []))].join(":");
}

/** How much of the captured money is refunded, and the open refunds. */
function refundsOf(payment: Payment): readonly string[] {
  const { captured, refunded, open } = merchantMoney(payment);
  const made = refunded < captured ? "some" : refunded === captured ? "all" : "more";
  return [...(refunded > 0 ? [made] : []), ...open.flatMap((one) => (one.of === "refund" ? [one.is] : []))];
}

/** The doubts other than those of charges and refunds. */
const doubtsOf = (payment: Payment): readonly string[] => [
  ...(merchantMoney(payment).own === "unknown" ? ["payment"] : []),
  ...payment.discounts.flatMap((d) => (d.statusReason === "outcomeUnknown" ? ["discount"] : [])),
];

/** Each word once, sorted. */
const listed = (words: readonly string[]): string => [...new Set(words)].toSorted().join("+");
