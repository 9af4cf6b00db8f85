import type { Resolution } from "../../../shared/domain/payment/resolution.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { ownCaptured } from "../../../shared/domain/payment/kept-money.ts";
import { wantedCharge, type Charge, type Payment } from "../../../shared/domain/payment/payment.ts";
import type { Random } from "../../support/seeded-random.ts";
import type { CardCharge, CardLedger } from "./card-ledger.ts";
import { differencesOf, paidUnknown } from "./differences.ts";

/** An operator's resolution of a payment, a refund or a charge, without the operator's name and reason. */
export type Word = Resolution extends infer R ? (R extends Resolution ? Omit<R, "by" | "why"> : never) : never;

const resolvable = new Set(["reconciling", "authorized", "captureRequested", "voidRequested"]);

/**
 * The next resolution of a payment that does not end by itself, according to the cards; undefined where there is none. Where a card's state
 * does not fit, the acquirer changes the card first.
 *
 * @param isInDoubt whether an alert says so of the payment, or of the named charge or refund
 */
export function nextWord(
  random: Random,
  ledger: CardLedger,
  payment: Payment,
  isInDoubt: (about?: string) => boolean,
): Word | undefined {
  if (resolvable.has(payment.status) && isInDoubt()) return ofPayment(random, ledger, payment);
  const refund = payment.refunds.find((r) => r.status === "pending" && isInDoubt(r.refundId));
  if (refund) {
    const made = refundsOf(ledger, payment).get(refund.refundId);
    if (made !== undefined && made !== refund.amount)
      ledger.correctRefund(payment.sessionId, refund.refundId, refund.amount);
    return { of: "refund", refundId: refund.refundId, outcome: made === undefined ? "failed" : "succeeded" };
  }
  const charge = payment.charges.find((c) => isGoingBack(c) && isInDoubt(c.chargeId));
  return charge && ofCharge(random, ledger, payment, charge);
}

/** A charge to be reversed is given back, or the merchant keeps all of it. */
function ofCharge(random: Random, ledger: CardLedger, payment: Payment, { chargeId, amount, currency }: Charge): Word {
  const card = ledger.chargesOf(payment.sessionId).find((c) => c.chargeId === chargeId);
  const canBeKept = card?.givenBack === false && card.amount === amount && currency === payment.currency;
  if (card && canBeKept && random.chance(0.4)) {
    ledger.correct(card, { taken: amount });
    return { of: "charge", chargeId, outcome: "kept" };
  }
  if (card) ledger.correct(card, { givenBack: true });
  return { of: "charge", chargeId, outcome: "reversed" };
}

/**
 * The correction of books that ended differently from the cards; undefined where they agree, or where only the acquirer can correct the
 * difference.
 */
export function correctingWord(ledger: CardLedger, payment: Payment): Word | undefined {
  const cards = ledger.chargesOf(payment.sessionId);
  for (const { of, about } of differencesOf(payment, cards)) {
    const word = of === "refund" ? ofSettledRefund(ledger, payment, about) : ofSettledCharge(payment, about, cards);
    if (word) return word;
  }
  return undefined;
}

function ofSettledRefund(ledger: CardLedger, payment: Payment, refundId: string): Word | undefined {
  const refund = payment.refunds.find((r) => r.refundId === refundId);
  const made = refundsOf(ledger, payment).get(refundId);
  if (!refund || (made !== undefined && made !== refund.amount)) return undefined;
  return { of: "refund", refundId, outcome: made === undefined ? "failed" : "succeeded" };
}

function ofSettledCharge(payment: Payment, chargeId: string, cards: readonly Readonly<CardCharge>[]): Word | undefined {
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  const card = cards.find((c) => c.chargeId === chargeId);
  if (!charge || card?.currency !== payment.currency || card.amount !== charge.amount) return undefined;
  if (card.givenBack)
    return charge.status === "authorized"
      ? { of: "payment", outcome: "unpaid" }
      : { of: "charge", chargeId, outcome: "reversed" };
  if (card.taken === 0) return undefined;
  if (charge.status === "authorized" || charge.status === "captured")
    return { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(card.taken, payment.currency) };
  return card.taken === charge.amount ? { of: "charge", chargeId, outcome: "kept" } : undefined;
}

/**
 * Resolves as paid by one of the charges, where one qualifies and the operator chooses so; else as unpaid. All other charges are given
 * back.
 */
function ofPayment(random: Random, ledger: CardLedger, payment: Payment): Word {
  const isKept = (card: CardCharge) => payment.charges.some((c) => c.chargeId === card.chargeId && c.status === "kept");
  const cards = ledger.chargesOf(payment.sessionId).filter((card) => !card.givenBack && !isKept(card));
  const meant = cards.find((card) => canBeMeant(payment, card));
  const isPaid = meant !== undefined && random.chance(0.5);
  // The platform gives back known charges by the terminal, so the acquirer does it only for some of them.
  const isLeft = (card: CardCharge) => payment.charges.some((c) => c.chargeId === card.chargeId) && random.chance(0.5);
  for (const card of cards) if (!(isPaid && card === meant) && !isLeft(card)) ledger.correct(card, { givenBack: true });
  if (!isPaid) return { of: "payment", outcome: "unpaid" };
  const taken = meant.taken > 0 ? meant.taken : meant.amount;
  ledger.correct(meant, { taken });
  const isReported = payment.charges.some((c) => c.chargeId === meant.chargeId);
  const chargeId = isReported ? meant.chargeId : undefined;
  return { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(taken, payment.currency) };
}

/** `paid` takes the named charge or, where no charge of that amount is known, the first one that is reported later. */
function canBeMeant(payment: Payment, card: Readonly<CardCharge>): boolean {
  if (card.currency !== payment.currency) return false;
  const charge = payment.charges.find((c) => c.chargeId === card.chargeId);
  if (charge) return charge.currency === card.currency && charge.status !== "kept";
  return !payment.charges.some((c) => c.amount === (card.taken || card.amount)) && !wantedCharge(payment);
}

/** The acquirer moves money without the terminal: it undoes a refund or a charge, and the books must follow. */
export function haveMoneyMoved(ledger: CardLedger, { sessionId, refunds, charges }: Payment): void {
  const refund = refunds.find((r) => r.status === "succeeded");
  if (refund) return ledger.correctRefund(sessionId, refund.refundId, undefined);
  const charge = charges.find((c) => c.status === "captured" || c.status === "kept");
  if (charge) ledger.correct({ sessionId, chargeId: charge.chargeId }, { givenBack: true });
}

/** Has the acquirer change the cards of a payment to the state in the books. */
export function haveCardsCorrected(ledger: CardLedger, payment: Payment): void {
  const { sessionId, charges, refunds } = payment;
  const paid = paidUnknown(payment, ledger.chargesOf(sessionId));
  for (const card of ledger.chargesOf(sessionId)) {
    if (card === paid?.card) continue;
    const charge = charges.find((c) => c.chargeId === card.chargeId);
    if (charge?.status === "kept") {
      ledger.correct(card, { givenBack: false, taken: charge.amount });
      continue;
    }
    const isHeld = charge?.status === "authorized" || charge?.status === "captured";
    ledger.correct(
      card,
      isHeld
        ? { givenBack: false, taken: charge.status === "captured" ? ownCaptured(payment) : 0 }
        : { givenBack: true },
    );
  }
  const made = new Map(refunds.flatMap((r) => (r.status === "succeeded" ? [[r.refundId, r.made ?? r.amount]] : [])));
  for (const refundId of new Set([...made.keys(), ...refundsOf(ledger, payment).keys()]))
    ledger.correctRefund(sessionId, refundId, made.get(refundId));
}

/** Any possible resolution of the payment, whatever the cards say, and also of what has ended; undefined where none is possible. */
export function aWrongWord(random: Random, { status, charges, refunds }: Payment): Word | undefined {
  const words: Word[] = [
    ...(resolvable.has(status) ? (["paid", "unpaid"] as const) : []).map(
      (outcome) => ({ of: "payment", outcome }) as const,
    ),
    ...charges.map(({ chargeId }) => ({ of: "charge", chargeId, outcome: random.pick("reversed", "kept") }) as const),
    ...(status === "captured" ? [{ of: "payment", outcome: "unpaid" } as const] : []),
    ...refunds.flatMap(({ refundId, status }) => [
      { of: "refund", refundId, outcome: status === "succeeded" ? "failed" : "succeeded" } as const,
    ]),
  ];
  const [first, ...others] = words;
  return first && random.pick(first, ...others);
}

const isGoingBack = ({ status }: Charge): boolean => status === "reversing" || status === "reversalFailed";
const refundsOf = (ledger: CardLedger, { sessionId }: Payment): ReadonlyMap<string, number> =>
  new Map(ledger.chargesOf(sessionId).flatMap(({ refunds }) => [...refunds]));
