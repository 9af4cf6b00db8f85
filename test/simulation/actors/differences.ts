import type { AlertIdentity, AlertKind } from "../../../shared/domain/alert.ts";
import { ownCaptured } from "../../../shared/domain/payment/kept-money.ts";
import { wantedCharge, type Charge, type Payment, type Refund } from "../../../shared/domain/payment/payment.ts";
import type { CardCharge } from "./card-ledger.ts";

/** What happened to a card by one charge, whoever keeps the truth of it. */
export type Card = Readonly<Pick<CardCharge, "chargeId" | "amount" | "currency" | "taken" | "givenBack" | "refunds">>;

/** Something of a payment that the books say otherwise than the cards. */
export interface Difference {
  readonly rule: string;
  /** The charge or the refund that it is about. */
  readonly about: string;
  readonly of: "unknown charge" | "charge" | "refund" | "amount";
  readonly detail: string;
}

/**
 * The alerts that tell an operator of a difference, by what it is of. The alert of an approval tells of none: the books know that charge.
 * That a terminal moved another amount tells of none where that amount is booked.
 */
const tellingKinds: Readonly<Record<Difference["of"], readonly AlertKind[]>> = {
  "unknown charge": ["chargeChanged", "tooManyCharges", "contradictingReport"],
  charge: ["contradictingReport", "amountDiffers", "reversalFailed", "outcomeUnknown"],
  refund: ["contradictingReport", "amountDiffers", "outcomeUnknown"],
  amount: ["contradictingReport"],
};

/** Whether an alert names this difference: it is about that charge or refund, or says that the payment as a whole is in doubt. */
export function names({ kind, about }: Pick<AlertIdentity, "kind" | "about">, difference: Difference): boolean {
  if (about === undefined) return kind === "outcomeUnknown" || kind === "contradictingReport";
  return about === difference.about && tellingKinds[difference.of].includes(kind);
}

/** Where the books of a payment are not as its cards: charge by charge and refund by refund, holds and money. */
export function differencesOf(payment: Payment | undefined, cards: readonly Card[]): readonly Difference[] {
  return [...ofCharges(payment, cards), ...ofRefunds(payment?.refunds ?? [], cards)];
}

/**
 * Money in the books that an operator said was taken by a charge that no terminal has told of; and the card that it was taken from, where
 * there is one.
 */
export function paidUnknown(payment: Payment, cards: readonly Card[]): { readonly card: Card | undefined } | undefined {
  const own = ownCaptured(payment);
  if (own === 0 || wantedCharge(payment)) return undefined;
  const isUntold = (card: Card) => !payment.charges.some((c) => c.chargeId === card.chargeId);
  return { card: cards.find((card) => !card.givenBack && card.taken === own && isUntold(card)) };
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
    const of = rule === OTHER_AMOUNT ? "amount" : charge ? "charge" : "unknown charge";
    return [{ rule, about, of, detail: `${about} ${charge?.status ?? ""}` }];
  });
  const madeUp = booked.filter(({ chargeId }) => !cards.some((card) => card.chargeId === chargeId));
  const rule = "a charge in the books that no card saw";
  const unpaid = { rule: "paid in the books, and by no card", about: "", of: "charge", detail: "" } as const;
  return [
    ...found,
    ...(paid && !paid.card ? [unpaid] : []),
    ...madeUp.map(({ chargeId }) => ({ rule, about: chargeId, of: "charge" as const, detail: chargeId })),
  ];
}

const OTHER_AMOUNT = "captured another amount than in the books";
const unknown = (card: Card): string | undefined =>
  card.givenBack ? undefined : "a charge that the books do not know";

/** Where a charge is not as the books say. */
function troubleWith(card: Card, { status, amount, currency }: Charge, payment: Payment): string | undefined {
  if (amount !== card.amount || currency !== card.currency) return "a charge of another amount than in the books";
  switch (status) {
    case "authorized":
      if (card.givenBack) return "given back, and the books hold it";
      return card.taken > 0 ? "captured, and the books hold it only" : undefined;
    case "captured":
      if (card.givenBack) return "given back, and the books have it captured";
      if (card.taken === 0) return "captured in the books only";
      return card.taken === ownCaptured(payment) ? undefined : OTHER_AMOUNT;
    case "reversing":
    case "reversalFailed":
      return card.givenBack ? "given back, and the books do not know" : "not given back";
    case "reversed":
    case "voided":
      return card.givenBack ? undefined : "given back in the books only";
    case "kept":
      if (card.givenBack) return "given back, and the books have it kept";
      return card.taken === amount ? undefined : "kept in the books, and not captured";
  }
}

/** The cards saw the refunds that succeeded in the books, each with its amount, and no other. */
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
    const of = books !== undefined && card !== undefined ? "amount" : "refund";
    return books === card ? [] : [{ rule: "a refund that is not as in the books", about, of, detail }];
  });
}
