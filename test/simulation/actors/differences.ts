import type { Alert, AlertIdentity, AlertKind } from "../../../shared/domain/alert.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { chargeInDoubt, wantedCharge, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { CardCharge } from "./card-ledger.ts";

/** One charge of a card, from any record of the true state. */
export type Card = Readonly<Pick<CardCharge, "chargeId" | "amount" | "currency" | "taken" | "givenBack" | "refunds">>;

/** A difference between the books of a payment and the cards. */
export interface Difference {
  readonly rule: string;
  /** The charge or the refund that differs. */
  readonly about: string;
  readonly of: "unknown charge" | "charge" | "refund" | "amount";
  readonly detail: string;
}

/**
 * The kinds of alerts that report a difference, by the object that differs. The alert of an approval is not listed, because the books have
 * that charge. The alert of another moved amount is not listed if that amount is booked.
 * A later report of yet another amount is not booked, and raises it again.
 */
const tellingKinds: Readonly<Record<Difference["of"], readonly AlertKind[]>> = {
  "unknown charge": ["chargeChanged", "tooManyCharges", "contradictingReport"],
  charge: ["contradictingReport", "amountDiffers", "reversalFailed", "outcomeUnknown"],
  refund: ["contradictingReport", "amountDiffers", "outcomeUnknown"],
  amount: ["contradictingReport"],
};

/**
 * Whether an alert names this difference. It must be about that charge or refund, or report that the whole payment is in doubt. The latter
 * does not cover the payment's refunds.
 */
export function names(
  { kind, about, count = 1 }: Pick<AlertIdentity, "kind" | "about"> & Partial<Pick<Alert, "count">>,
  difference: Difference,
): boolean {
  if (about === undefined)
    return difference.of !== "refund" && (kind === "outcomeUnknown" || kind === "contradictingReport");
  const isOfLater = difference.of === "amount" && kind === "amountDiffers" && count > 1;
  return about === difference.about && (isOfLater || tellingKinds[difference.of].includes(kind));
}

/** The differences between a payment's books and its cards: charge by charge and refund by refund, held and captured money. */
export function differencesOf(payment: Payment | undefined, cards: readonly Card[]): readonly Difference[] {
  return [...ofCharges(payment, cards), ...ofRefunds(payment?.refunds ?? [], cards)];
}

/**
 * Captured money in the books that an operator attributed to a charge that no terminal has reported. Returns the card that it was taken
 * from, if there is one.
 */
export function paidUnknown(payment: Payment, cards: readonly Card[]): { readonly card: Card | undefined } | undefined {
  const own = ownCaptured(payment);
  if (own === 0 || wantedCharge(payment)) return undefined;
  const isUnreported = (card: Card) => !payment.charges.some((c) => c.chargeId === card.chargeId);
  return { card: cards.find((card) => !card.givenBack && card.taken === own && isUnreported(card)) };
}

function ofCharges(payment: Payment | undefined, cards: readonly Card[]): Difference[] {
  const booked = payment?.charges ?? [];
  const paid = payment && paidUnknown(payment, cards);
  const found = cards.flatMap((card): Difference[] => {
    if (card === paid?.card) return [];
    const { chargeId: about } = card;
    const charge = booked.find((c) => c.chargeId === about);
    const rule = charge && payment ? troubleWith(card, charge, payment) : unknown(card);
    if (!rule) return [];
    // No more than the requested amount is booked, and the alert names the rest.
    const isBookedInPart = rule === OTHER_AMOUNT && payment !== undefined && card.taken > ownCaptured(payment);
    const of = rule === OTHER_AMOUNT && !isBookedInPart ? "amount" : charge ? "charge" : "unknown charge";
    return [{ rule, about, of, detail: `${about} ${charge?.status ?? ""}` }];
  });
  const madeUp = booked.filter(({ chargeId }) => !cards.some((card) => card.chargeId === chargeId));
  const rule = "a charge in the books that no card has";
  // The alert of a charge that contradicts the decision names both.
  const doubted = (payment && chargeInDoubt(payment)?.chargeId) ?? "";
  const unpaid = { rule: "paid in the books, but by no card", about: doubted, of: "charge", detail: doubted } as const;
  return [
    ...found,
    ...(paid && !paid.card ? [unpaid] : []),
    ...madeUp.map(({ chargeId }) => ({ rule, about: chargeId, of: "charge" as const, detail: chargeId })),
  ];
}

const OTHER_AMOUNT = "captured a different amount than in the books";
const unknown = (card: Card): string | undefined => (card.givenBack ? undefined : "a charge that is not in the books");

/** How a charge on a card differs from the books. */
function troubleWith(card: Card, { status, amount, currency }: Charge, payment: Payment): string | undefined {
  if (amount !== card.amount || currency !== card.currency) return "a charge of a different amount than in the books";
  switch (status) {
    case "authorized":
      if (card.givenBack) return "given back, but authorized in the books";
      return card.taken > 0 ? "captured, but only authorized in the books" : undefined;
    case "captured":
      if (card.givenBack) return "given back, but captured in the books";
      if (card.taken === 0) return "captured only in the books";
      return card.taken === ownCaptured(payment) ? undefined : OTHER_AMOUNT;
    case "reversing":
    case "reversalFailed":
      return card.givenBack ? "given back, but not in the books" : "not given back";
    case "reversed":
    case "voided":
      return card.givenBack ? undefined : "given back only in the books";
    case "kept":
      if (card.givenBack) return "given back, but kept in the books";
      return card.taken === amount ? undefined : "kept in the books, but not captured";
    case "inDoubt":
      return "in doubt in the books";
  }
}

/** The cards have exactly the refunds that succeeded in the books, each with its amount. */
function ofRefunds(refunds: readonly Refund[], cards: readonly Card[]): Difference[] {
  const inBooks = new Map(
    refunds.flatMap(({ refundId, status, made, amount }) =>
      status === "succeeded" ? [[refundId, made ?? amount] as const] : [],
    ),
  );
  const onCards = new Map(cards.flatMap((card) => [...card.refunds]));
  return [...new Set([...inBooks.keys(), ...onCards.keys()])].flatMap((about): Difference[] => {
    const [books, card] = [inBooks.get(about), onCards.get(about)];
    const detail = `${about}: ${books ?? "none"} and ${card ?? "none"}`;
    // No more than the requested amount is booked, and the alert names the rest.
    const of = books !== undefined && card !== undefined && card < books ? "amount" : "refund";
    return books === card ? [] : [{ rule: "a refund that differs from the books", about, of, detail }];
  });
}
