import { refundedAmount, type Charge, type Payment } from "../../../shared/domain/payment/payment.ts";
import { kept, type CardCharge, type CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { isAlertedOf, type Excuses } from "./excuses.ts";
import type { Session } from "./look.ts";

interface Truth {
  readonly ledger: CardLedger;
  readonly devices: readonly TerminalDevice[];
  readonly excuses: Excuses;
}

/**
 * What the platform says of a payment is what happened to the cards, charge by charge and in all. The ledger keeps the truth by itself;
 * where the books differ, an operator was called for that very charge, or the terminal is to blame.
 */
export function checkCards(session: Session, { ledger, devices, excuses }: Truth): void {
  const { plan, payment } = session;
  const charges = ledger.chargesOf(plan.sessionId);
  let excused = 0;
  for (const charge of charges) {
    const booked = payment?.charges.find((c) => c.chargeId === charge.chargeId);
    const rule = booked ? troubleWith(charge, booked) : unknown(charge);
    if (!rule) continue;
    const isAlerted = isAlertedOf(session, charge.chargeId, booked, devices);
    excuses.judge(session, { rule, detail: charge.chargeId, isAlerted });
    excused += kept(charge);
  }
  if (!payment) return;
  for (const { chargeId: detail } of payment.charges) {
    if (!charges.some((c) => c.chargeId === detail))
      excuses.judge(session, { rule: "a charge in the books that no card saw", detail });
  }
  const inBooks = payment.amounts.captured - refundedAmount(payment);
  const onCards = charges.reduce((sum, charge) => sum + kept(charge), 0) - excused;
  if (inBooks !== onCards)
    excuses.judge(session, { rule: "the books and the cards differ", detail: `${inBooks} and ${onCards}` });
  if (!endsAsItsCharges(payment)) excuses.judge(session, { rule: "a payment that ends otherwise than its charges" });
}

const unknown = (charge: CardCharge): string | undefined =>
  charge.givenBack ? undefined : "a charge that the books do not know";

/** Where a charge is not as the books say. */
function troubleWith(charge: Readonly<CardCharge>, { status, amount, currency }: Charge): string | undefined {
  if (amount !== charge.amount || currency !== charge.currency) return "a charge of another amount than in the books";
  switch (status) {
    case "authorized":
      if (charge.givenBack) return "given back, and the books hold it";
      return charge.taken > 0 ? "captured, and the books hold it only" : undefined;
    case "captured":
      if (charge.givenBack) return "given back, and the books have it captured";
      return charge.taken > 0 ? undefined : "captured in the books only";
    case "reversing":
    case "reversalFailed":
      return charge.givenBack ? "given back, and the books do not know" : "not given back";
    case "reversed":
    case "voided":
      return charge.givenBack ? undefined : "given back in the books only";
  }
}

/** A payment ends with the charge that it is about, or with none. */
function endsAsItsCharges({ status, charges, amounts, currency }: Payment): boolean {
  const wanted = charges.filter((c) => c.status === "authorized" || c.status === "captured");
  if (wanted.some((c) => c.currency !== currency)) return false;
  switch (status) {
    case "cancelled":
    case "expired":
    case "declined":
    case "failed":
      return wanted.length === 0;
    case "voided":
      return wanted.length === 0 && charges.length > 0;
    case "authorized":
      return wanted.length === 1 && wanted[0]?.status === "authorized" && wanted[0].amount === amounts.authorized;
    case "captured":
      return wanted.length === 1 && wanted[0]?.status === "captured";
    default:
      return true;
  }
}
