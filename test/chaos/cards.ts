import { toMinorUnits } from "../../shared/domain/money.ts";
import { refundedAmount } from "../../shared/domain/payment/record/kept-money.ts";
import { isFinal, type Payment } from "../../shared/domain/payment/record/payment.ts";
import { differencesOf, type Card, type Difference } from "../simulation/actors/differences.ts";
import type { TerminalAction } from "./terminal.ts";

export const CURRENCY = "SEK";

/** A card while its actions are replayed. */
type Moving = { -readonly [Name in keyof Card]: Card[Name] };

/** The cards of one session, from the journals of terminals and acquirer: the first charge first, in minor units. */
export function cardsIn(sessionId: string, actions: readonly TerminalAction[]): readonly Card[] {
  const cards = new Map<string, Moving>();
  const moved = new Set<string>();
  /** A terminal that repeats an action moves no money again. */
  const isFirst = ({ messageID, outcome, chargeID }: TerminalAction): boolean => {
    const name = `${outcome} ${chargeID}`;
    if (messageID !== undefined && moved.has(name)) return false;
    moved.add(name);
    return true;
  };
  for (const action of actions) {
    if (action.sessionID !== sessionId) continue;
    const { outcome, chargeID: chargeId = "", refundID = "", isCaptured } = action;
    const amount = minor(action.amount);
    const card = cards.get(chargeId);
    if (outcome === "authorized" && !card) {
      const taken = isCaptured ? amount : 0;
      cards.set(chargeId, { chargeId, amount, currency: CURRENCY, taken, givenBack: false, refunds: new Map() });
    } else if (outcome === "captured" && card && isFirst(action)) {
      card.taken = amount;
      card.givenBack = false;
    } else if (outcome === "voided" && card && isFirst(action)) {
      card.givenBack = true;
    } else if (outcome === "refunded") {
      const refunded = card ?? [...cards.values()].find(({ taken }) => taken > 0);
      refunded?.refunds.set(refundID.toLowerCase(), amount);
    }
  }
  return [...cards.values()];
}

/** The minor units of an amount in the major unit. Throws for an amount with too many decimals. */
export function minor(major = 0): number {
  const converted = toMinorUnits(major, CURRENCY);
  if (!converted.ok) throw new Error(`${major} is not an amount in ${CURRENCY}`);
  return converted.value;
}

/** The part of a card's money that the merchant has. */
const kept = ({ taken, givenBack, refunds }: Card): number =>
  givenBack ? 0 : taken - [...refunds.values()].reduce((sum, amount) => sum + amount, 0);

/** The merchant's money from the payment in the platform's books, in minor units. */
const inBooks = (payment: Payment): number => payment.amounts.captured - refundedAmount(payment);
export const onCards = (cards: readonly Card[]): number => cards.reduce((sum, card) => sum + kept(card), 0);

/** Whether the card is still charged or holds an authorization. */
export const isLive = ({ givenBack }: Card): boolean => !givenBack;

/** The differences between books and cards, one by one. If there is none, the difference of the totals. */
export function differences(payment: Payment, cards: readonly Card[]): readonly Difference[] {
  const found = differencesOf(payment, cards);
  if (found.length > 0) return found;
  const [books, taken] = [inBooks(payment), onCards(cards)];
  if (books === taken) return [];
  const detail = `${books} in the books, and ${taken} on the cards`;
  return [{ rule: "the totals of books and cards differ", about: payment.sessionId, of: "charge", detail }];
}

/** The charges that the payment does not show, and that are not given back. */
export const unbooked = (payment: Payment, cards: readonly Card[]): readonly Card[] =>
  cards.filter((card) => isLive(card) && payment.charges.every(({ chargeId }) => chargeId !== card.chargeId));

/** Whether an action of the payment is outstanding, so that a difference may still disappear. */
export const isMoving = ({ status, charges, refunds }: Payment): boolean =>
  (!isFinal(status) && status !== "authorized") ||
  charges.some((charge) => charge.status === "reversing") ||
  refunds.some((refund) => refund.status === "pending");
