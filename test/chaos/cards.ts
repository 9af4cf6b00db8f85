import { fromMinorUnits } from "../../shared/domain/money.ts";
import { isGivenBack, wantedCharge, type Payment } from "../../shared/domain/payment/payment.ts";
import type { Deed } from "./load.ts";

/** The charges that the terminal made and the payment does not show yet. */
export const unbooked = ({ charges }: Payment, deeds: readonly Deed[]): readonly string[] =>
  [...chargedBy(deeds).keys()].filter((id) => charges.every(({ chargeId }) => chargeId !== id));

/** What the terminal says that it did to the cards, held charge by charge against the payment, and then in money. */
export function cardsOf(payment: Payment, deeds: readonly Deed[]): string[] {
  const charged = chargedBy(deeds);
  const voided = new Set(told(deeds, "voided").map((deed) => deed.chargeID));
  const wrong = payment.charges.flatMap((charge) => {
    const { chargeId, amount, currency, status } = charge;
    if (charged.get(chargeId) !== fromMinorUnits(amount, currency))
      return [`a charge that the terminal did not make: ${chargeId}`];
    if (isGivenBack(charge) === voided.has(chargeId)) return [];
    return [`a charge that is ${status}, unlike on the terminal: ${chargeId}`];
  });
  return [
    ...wrong,
    ...unbooked(payment, deeds).map((id) => `charged and not in the books: ${id}`),
    ...keptOf(payment, charged, voided),
    ...capturesOf(payment, deeds),
    ...refundsOf(payment, deeds),
  ];
}

/** What the terminal keeps of the cards' money is what the payment says that it holds. */
function keptOf(payment: Payment, charged: ReadonlyMap<string, number>, voided: ReadonlySet<string | undefined>) {
  const kept = [...charged].reduce((sum, [id, amount]) => sum + (voided.has(id) ? 0 : amount), 0);
  const holds = payment.status === "authorized" || payment.status === "captured";
  const held = holds ? fromMinorUnits(payment.amounts.authorized, payment.currency) : 0;
  return kept === held ? [] : [`the cards are charged ${kept}, and the payment holds ${held}`];
}

/** One charge is captured at most, once, and with the amount that the payment says. */
function capturesOf(payment: Payment, deeds: readonly Deed[]): string[] {
  const captures = told(deeds, "captured").filter(({ asked }) => asked === "capture");
  const messages = new Set(captures.map(({ messageID }) => messageID));
  if (messages.size > 1) return ["captured twice"];
  const [capture] = captures;
  if (!capture) return [];
  const isWanted = payment.status === "captured" && capture.chargeID === wantedCharge(payment)?.chargeId;
  const isBooked = capture.amount === fromMinorUnits(payment.amounts.captured, payment.currency);
  return isWanted && isBooked ? [] : ["captured on the terminal otherwise than in the books"];
}

function refundsOf({ refunds, currency }: Payment, deeds: readonly Deed[]): string[] {
  const made = new Map(told(deeds, "refunded").map(({ refundID, amount }) => [refundID, amount]));
  const booked = refunds.filter(({ status }) => status === "succeeded");
  const isSame =
    made.size === booked.length &&
    booked.every(({ refundId, amount }) => made.get(refundId) === fromMinorUnits(amount, currency));
  return isSame ? [] : ["refunds that differ from the terminal's"];
}

const told = (deeds: readonly Deed[], type: string) => deeds.filter((deed) => deed.told === type);

/** What each card was charged, by the charge. */
const chargedBy = (deeds: readonly Deed[]): ReadonlyMap<string, number> =>
  new Map(told(deeds, "authorized").map(({ chargeID = "", amount = 0 }) => [chargeID, amount]));
