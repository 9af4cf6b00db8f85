import { refundedAmount, type Payment } from "../../shared/domain/payment/payment.ts";
import { balanceOf } from "../chaos/books.ts";
import { cardsIn, CURRENCY, differences, inBooks, onCards } from "../chaos/cards.ts";
import { excuseOf, type Evidence } from "../chaos/checker.ts";
import type { Money } from "./record.ts";

type Compared = Pick<Evidence, "actions" | "openAlerts" | "forgotten" | "files">;

/** What the merchants have by the books and by the cards' own records, and each payment of which the two differ, in minor units. */
export function moneyOf(payments: readonly Payment[], evidence: Compared): Money {
  const actionsOf = Map.groupBy(evidence.actions, ({ sessionID }) => sessionID);
  const compared = payments.map((payment) => {
    const cards = cardsIn(payment.sessionId, actionsOf.get(payment.sessionId) ?? []);
    const excuses = differences(payment, cards).map((difference) => excuseOf(difference, payment, evidence));
    const why = excuses.includes(undefined) ? undefined : excuses[0];
    return { sessionID: payment.sessionId, inBooks: inBooks(payment), onCards: onCards(cards), why, payment, cards };
  });
  const differing = compared.filter((one) => one.inBooks !== one.onCards);
  const explained = Map.groupBy(
    differing.filter(({ why }) => why !== undefined),
    ({ why = "" }) => why,
  );
  const cards = compared.flatMap((one) => one.cards).filter(({ givenBack }) => !givenBack);
  return {
    currency: CURRENCY,
    payments: payments.length,
    books: {
      captured: sum(payments, ({ amounts }) => amounts.captured),
      refunded: sum(payments, refundedAmount),
      kept: sum(compared, (one) => one.inBooks),
    },
    cards: {
      captured: sum(cards, ({ taken }) => taken),
      refunded: sum(cards, ({ refunds }) => sum([...refunds.values()], (amount) => amount)),
      kept: sum(compared, (one) => one.onCards),
    },
    files: sum(evidence.files, (files) => balanceOf(files.flatMap(({ bookings }) => bookings))),
    explained: [...explained].map(([why, all]) => ({
      why,
      payments: all.length,
      inBooks: sum(all, (one) => one.inBooks),
      onCards: sum(all, (one) => one.onCards),
    })),
    unexplained: differing.flatMap(({ why, sessionID, inBooks, onCards }) =>
      why === undefined ? [{ sessionID, inBooks, onCards }] : [],
    ),
  };
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
