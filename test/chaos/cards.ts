import { toMinorUnits } from "../../shared/domain/money.ts";
import { isFinal, refundedAmount, type Payment } from "../../shared/domain/payment/payment.ts";
import { differencesOf, type Card, type Difference } from "../simulation/actors/differences.ts";
import type { TerminalAction } from "./terminal.ts";

export const CURRENCY = "SEK";

/** A card as its actions are told. */
type Moving = { -readonly [Name in keyof Card]: Card[Name] };

/** What happened to the cards of one session, by the journals of terminals and acquirer: the first charge first, in minor units. */
export function cardsIn(sessionId: string, actions: readonly TerminalAction[]): readonly Card[] {
  const cards = new Map<string, Moving>();
  const moved = new Set<string>();
  /** A terminal that repeats what it did moves no money again. */
  const isFirst = ({ messageID, told, chargeID }: TerminalAction): boolean => {
    const name = `${told} ${chargeID}`;
    if (messageID !== undefined && moved.has(name)) return false;
    moved.add(name);
    return true;
  };
  for (const action of actions) {
    if (action.sessionID !== sessionId) continue;
    const { told, chargeID: chargeId = "", refundID = "", isCaptured } = action;
    const amount = minor(action.amount);
    const card = cards.get(chargeId);
    if (told === "authorized" && !card) {
      const taken = isCaptured ? amount : 0;
      cards.set(chargeId, { chargeId, amount, currency: CURRENCY, taken, givenBack: false, refunds: new Map() });
    } else if (told === "captured" && card && isFirst(action)) {
      card.taken = amount;
      card.givenBack = false;
    } else if (told === "voided" && card && isFirst(action)) {
      card.givenBack = true;
    } else if (told === "refunded") {
      const refunded = card ?? [...cards.values()].find(({ taken }) => taken > 0);
      refunded?.refunds.set(refundID.toLowerCase(), amount);
    }
  }
  return [...cards.values()];
}

function minor(major = 0): number {
  const converted = toMinorUnits(major, CURRENCY);
  if (!converted.ok) throw new Error(`${major} is no amount of ${CURRENCY}`);
  return converted.value;
}

/** What the merchant has of a card's money. */
const kept = ({ taken, givenBack, refunds }: Card): number =>
  givenBack ? 0 : taken - [...refunds.values()].reduce((sum, amount) => sum + amount, 0);

/** What the cards are charged or hold. */
export const isLive = ({ givenBack }: Card): boolean => !givenBack;

/** Where the books are not as the cards, one by one; where nothing differs, in all. */
export function differences(payment: Payment, cards: readonly Card[]): readonly Difference[] {
  const found = differencesOf(payment, cards);
  if (found.length > 0) return found;
  const inBooks = payment.amounts.captured - refundedAmount(payment);
  const onCards = cards.reduce((sum, card) => sum + kept(card), 0);
  if (inBooks === onCards) return [];
  const detail = `${inBooks} in the books, and ${onCards} on the cards`;
  return [{ rule: "money that is not where the books say", about: payment.sessionId, of: "charge", detail }];
}

/** The charges that the payment does not show, and that are not given back. */
export const unbooked = (payment: Payment, cards: readonly Card[]): readonly Card[] =>
  cards.filter((card) => isLive(card) && payment.charges.every(({ chargeId }) => chargeId !== card.chargeId));

/** Something of the payment is under way: what differs now need not differ in the end. */
export const isMoving = ({ status, charges, refunds }: Payment): boolean =>
  (!isFinal(status) && status !== "authorized") ||
  charges.some((charge) => charge.status === "reversing") ||
  refunds.some((refund) => refund.status === "pending");
