import { refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { kept, type CardLedger } from "../actors/card-ledger.ts";
import { differencesOf, names } from "../actors/differences.ts";
import type { Excuses } from "./excuses.ts";
import type { Session } from "./snapshot.ts";

/**
 * The books of a payment agree with the cards: charge by charge, refund by refund and in total. The ledger has the cards' true state. If
 * the books differ, an open alert names that charge or refund, or there is an excuse.
 */
export function checkCards(session: Session, ledger: CardLedger, excuses: Excuses): void {
  const { plan, payment } = session;
  const charges = ledger.chargesOf(plan.sessionId);
  const differences = differencesOf(payment, charges);
  for (const difference of differences) {
    const { rule, detail } = difference;
    const { about } = difference;
    excuses.judge(session, { rule, detail, about, isNamedBy: (alert) => names(alert, difference) });
  }
  if (!payment) return;
  const inBooks = payment.amounts.captured - refundedAmount(payment);
  const onCards = charges.reduce((sum, charge) => sum + kept(charge), 0);
  // Each difference was checked above. Without a difference the sums must be equal.
  if (differences.length === 0 && inBooks !== onCards)
    excuses.judge(session, { rule: "the books and the cards differ", detail: `${inBooks} and ${onCards}` });
  // A void of a charge that a restore lost leaves no charge in the books.
  const isVoidOfLost = payment.status === "voided" && session.history.some(({ event }) => event === "restored");
  const isCorrected =
    isVoidOfLost || session.history.some(({ event }) => event === "corrected" || event === "settledPaid");
  if (!endsAsItsCharges(payment, isCorrected))
    excuses.judge(session, { rule: "a payment's end does not match its charges" });
}

/**
 * A payment ends with its own charge, or without any. A corrected payment may be paid in any final state, and may be captured without being
 * paid.
 */
function endsAsItsCharges(payment: Payment, isCorrected: boolean): boolean {
  const { status, charges, amounts, currency } = payment;
  const wanted = charges.filter((c) => c.status === "authorized" || c.status === "captured");
  if (wanted.some((c) => c.currency !== currency)) return false;
  switch (status) {
    case "cancelled":
    case "expired":
    case "declined":
    case "failed":
      return wanted.length === 0 || isCorrected;
    case "voided":
      return (wanted.length === 0 && charges.length > 0) || isCorrected;
    case "authorized":
      return wanted.length === 1 && wanted[0]?.status === "authorized" && wanted[0].amount === amounts.authorized;
    case "captured":
      return (wanted.length === 1 && wanted[0]?.status === "captured") || isCorrected;
    default:
      return true;
  }
}
