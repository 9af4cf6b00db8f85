import type { Resolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { isHeldBack, isOwnVoid, wantedCharge, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, type Payment, type Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { Random } from "../../support/seeded-random.ts";
import type { CardCharge, CardLedger } from "./card-ledger.ts";
import { differencesOf, paidUnknown } from "./differences.ts";

/** An operator's resolution of a payment, a refund or a charge, without the operator's name and reason. */
export type Word = Resolution extends infer R ? (R extends Resolution ? Omit<R, "by" | "why"> : never) : never;

const resolvable = new Set(["reconciling", "authorized", "captureRequested", "voidRequested"]);

/**
 * The next resolution of a payment that does not end by itself, according to the cards; undefined if there is none. If a card's state does
 * not fit, the acquirer changes the card first.
 *
 * @param isInDoubt whether an alert reports a doubt about the payment, or about the named charge or refund
 */
export function nextWord(
  random: Random,
  ledger: CardLedger,
  payment: Payment,
  isInDoubt: (about?: string, isContradicted?: boolean) => boolean,
): Word | undefined {
  const refund = payment.refunds.find((r) => r.status === "pending" && isInDoubt(r.refundId, true));
  if (refund) {
    const { refundId } = refund;
    // The terminal has not reported more in the payment's currency, so the acquirer gives the rest back.
    if ((refundsOf(ledger, payment).get(refundId) ?? 0) > refund.amount)
      ledger.correctRefund(payment.sessionId, refundId, refund.amount);
    return wordOfRefund(ledger, payment, refund);
  }
  const contradicted = payment.charges.find((c) => c.contradicted && isInDoubt(c.chargeId, true));
  if (contradicted) return ofContradicted(ledger, payment, contradicted);
  const own = wantedCharge(payment);
  const isHeld = own && isHeldBack(own) && isInDoubt(own.chargeId, true);
  if (resolvable.has(payment.status) && (isInDoubt() || isHeld)) return ofPayment(random, ledger, payment);
  const charge = payment.charges.find((c) => isGoingBack(c) && isInDoubt(c.chargeId));
  if (charge) return ofCharge(random, ledger, payment, charge);
  const doubted = payment.charges.find((c) => c.status === "inDoubt" && isInDoubt(c.chargeId, true));
  return doubted ? ofDoubted(random, ledger, payment, doubted) : undefined;
}

/** A charge of which the terminal reported a void. Either the card has the money back, or the charge stays as it is in the books. */
function ofContradicted(ledger: CardLedger, payment: Payment, { chargeId, status, amount }: Charge): Word {
  const card = ledger.chargesOf(payment.sessionId).find((one) => one.chargeId === chargeId);
  if (!card || card.givenBack)
    return status === "authorized"
      ? { of: "payment", outcome: "unpaid" }
      : { of: "charge", chargeId, outcome: "reversed" };
  if (status === "kept") {
    ledger.correct(card, { taken: amount });
    return { of: "charge", chargeId, outcome: "kept" };
  }
  const taken = card.taken > 0 ? card.taken : card.amount;
  ledger.correct(card, { taken });
  return { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(taken, payment.currency) };
}

/**
 * A charge that contradicts an earlier decision. If another card was charged as decided, this charge is given back or kept in addition.
 * Otherwise the payment is paid by this charge, or unpaid.
 */
function ofDoubted(random: Random, ledger: CardLedger, payment: Payment, { chargeId, currency }: Charge): Word {
  const cards = ledger.chargesOf(payment.sessionId);
  const card = cards.find((one) => one.chargeId === chargeId);
  const isPaidBeside = paidUnknown(payment, cards)?.card !== undefined;
  const isPossible = card?.givenBack === false && card.currency === payment.currency && currency === card.currency;
  if (card && isPossible && random.chance(0.6)) {
    const taken = card.taken > 0 && !isPaidBeside ? card.taken : card.amount;
    ledger.correct(card, { taken });
    if (isPaidBeside) return { of: "charge", chargeId, outcome: "kept" };
    return { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(taken, payment.currency) };
  }
  if (!isPaidBeside && random.chance(0.5)) return { of: "payment", outcome: "unpaid" };
  if (card) ledger.correct(card, { givenBack: true });
  return { of: "charge", chargeId, outcome: "reversed" };
}

/** A charge to be reversed is given back, or the merchant keeps all of it. */
function ofCharge(random: Random, ledger: CardLedger, payment: Payment, charge: Charge): Word {
  const { chargeId, amount, currency } = charge;
  const isOwn = isOwnVoid(payment, charge);
  const card = ledger.chargesOf(payment.sessionId).find((c) => c.chargeId === chargeId);
  const canBeKept = card?.givenBack === false && card.amount === amount && currency === payment.currency;
  if (card && canBeKept && random.chance(0.4)) {
    ledger.correct(card, { taken: amount });
    return isOwn
      ? { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(amount, currency) }
      : { of: "charge", chargeId, outcome: "kept" };
  }
  if (card) ledger.correct(card, { givenBack: true });
  return { of: "charge", chargeId, outcome: "reversed" };
}

/**
 * The correction of books that ended differently from the cards. Undefined if they agree, or if only the acquirer can correct the
 * difference.
 */
export function correctingWord(ledger: CardLedger, payment: Payment, only?: string): Word | undefined {
  const cards = ledger.chargesOf(payment.sessionId);
  for (const { of, about } of differencesOf(payment, cards)) {
    if (only !== undefined && only !== about) continue;
    const word =
      of === "refund" || payment.refunds.some(({ refundId }) => refundId === about)
        ? ofSettledRefund(ledger, payment, about)
        : of === "unknown charge"
          ? ofUnknownCharge(payment, about, cards)
          : ofSettledCharge(ledger, payment, about);
    if (word) return word;
  }
  return only === undefined ? ofNoCard(payment, cards) : undefined;
}

/** If only the cards have a charge, the payment was paid by it, unless it is already paid. */
function ofUnknownCharge(payment: Payment, chargeId: string, cards: readonly Readonly<CardCharge>[]): Word | undefined {
  const card = cards.find((one) => one.chargeId === chargeId);
  if (!card || card.taken === 0 || !canBeMeant(payment, card) || ownCaptured(payment) > 0) return undefined;
  if (!isFinal(payment.status) || payment.charges.some((c) => isGoingBack(c) || c.status === "inDoubt"))
    return undefined;
  return { of: "payment", outcome: "paid", amount: fromMinorUnits(card.taken, payment.currency) };
}

/** Money that was recorded as paid although no card was charged. */
function ofNoCard(payment: Payment, cards: readonly Readonly<CardCharge>[]): Word | undefined {
  const paid = paidUnknown(payment, cards);
  const isKept = payment.charges.some(({ status }) => status === "kept");
  return paid && !paid.card && !isKept ? { of: "payment", outcome: "unpaid" } : undefined;
}

/** The present resolution again, for an operator who adds the day on which the terminal counted it; undefined if the day is known. */
export function standingWord(payment: Payment, about: string): Word | undefined {
  const isUndated = (subject: { readonly correction?: Payment["correction"] } | undefined) =>
    subject?.correction !== undefined && subject.correction.businessDay === undefined;
  const refund = payment.refunds.find((r) => r.refundId === about);
  if (refund && refund.status !== "pending")
    return isUndated(refund) ? { of: "refund", refundId: about, outcome: refund.status } : undefined;
  const charge = payment.charges.find((c) => c.chargeId === about);
  if (charge && !isUndated(charge)) return undefined;
  if (charge?.status === "reversed" || charge?.status === "kept")
    return { of: "charge", chargeId: about, outcome: charge.status };
  if (!isUndated(charge ?? payment)) return undefined;
  const amount = fromMinorUnits(ownCaptured(payment), payment.currency);
  return { of: "payment", outcome: "paid", amount, chargeId: charge?.chargeId };
}

/** Whether nothing in the payment is about to change by itself. A restored payment changes once its terminal reports its state. */
export const isAtRest = ({ status, restored, charges, refunds }: Payment): boolean =>
  (restored === undefined || isFinal(status)) &&
  !["pending", "inProgress", "cancelRequested", "reconciling", "captureRequested", "voidRequested"].includes(status) &&
  !charges.some((c) => c.status === "reversing" || c.status === "reversalFailed" || c.status === "inDoubt") &&
  !refunds.some((r) => r.status === "pending");

function ofSettledRefund(ledger: CardLedger, payment: Payment, refundId: string): Word | undefined {
  const refund = payment.refunds.find((r) => r.refundId === refundId);
  const made = refundsOf(ledger, payment).get(refundId) ?? 0;
  const isReported = ledger.hiddenOf(payment.sessionId)?.about !== refundId;
  return refund && (made <= refund.amount || isReported) ? wordOfRefund(ledger, payment, refund) : undefined;
}

/** The refund as the card has it, with the whole amount. */
function wordOfRefund(ledger: CardLedger, payment: Payment, { refundId }: Refund): Word {
  const made = refundsOf(ledger, payment).get(refundId);
  if (made === undefined) return { of: "refund", refundId, outcome: "failed" };
  return { of: "refund", refundId, outcome: "succeeded", amount: fromMinorUnits(made, payment.currency) };
}

function ofSettledCharge(ledger: CardLedger, payment: Payment, chargeId: string): Word | undefined {
  const cards = ledger.chargesOf(payment.sessionId);
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  const card = cards.find((c) => c.chargeId === chargeId);
  if (!charge || card?.currency !== payment.currency || card.amount !== charge.amount) return undefined;
  // The terminal reported a capture that it never made. The acquirer releases the held amount.
  if (charge.status === "captured" && card.taken === 0 && ledger.hiddenOf(payment.sessionId)?.about === chargeId)
    ledger.correct(card, { givenBack: true });
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
 * Resolves the payment as paid by one of the charges, if one qualifies and the operator chooses so; otherwise as unpaid. All other charges
 * are given back.
 */
function ofPayment(random: Random, ledger: CardLedger, payment: Payment): Word {
  const isKept = (card: CardCharge) => payment.charges.some((c) => c.chargeId === card.chargeId && c.status === "kept");
  const cards = ledger.chargesOf(payment.sessionId).filter((card) => !card.givenBack && !isKept(card));
  const meant = cards.find((card) => canBeMeant(payment, card));
  const isPaid = meant !== undefined && random.chance(0.5);
  // The platform gives back known charges through the terminal, so the acquirer does it only for some of them.
  const isLeft = (card: CardCharge) => payment.charges.some((c) => c.chargeId === card.chargeId) && random.chance(0.5);
  for (const card of cards.filter((one) => !(isPaid && one === meant))) {
    if (isLeft(card)) ledger.leave(card);
    else ledger.correct(card, { givenBack: true });
  }
  if (!isPaid) return { of: "payment", outcome: "unpaid" };
  const taken = meant.taken > 0 ? meant.taken : meant.amount;
  ledger.correct(meant, { taken });
  const isReported = payment.charges.some((c) => c.chargeId === meant.chargeId);
  const chargeId = isReported ? meant.chargeId : undefined;
  return { of: "payment", outcome: "paid", chargeId, amount: fromMinorUnits(taken, payment.currency) };
}

/** `paid` takes the named charge. If no charge of that amount is known, it takes the next such charge that a terminal reports. */
function canBeMeant(payment: Payment, card: Readonly<CardCharge>): boolean {
  if (card.currency !== payment.currency) return false;
  const charge = payment.charges.find((c) => c.chargeId === card.chargeId);
  if (charge) return charge.currency === card.currency && charge.status !== "kept";
  return !payment.charges.some((c) => c.amount === (card.taken || card.amount)) && !wantedCharge(payment);
}

/** The acquirer moves money without the terminal. It undoes a refund or a charge, and the books must follow. */
export function haveMoneyMoved(ledger: CardLedger, { sessionId, refunds, charges }: Payment): void {
  const refund = refunds.find((r) => r.status === "succeeded");
  if (refund) return ledger.correctRefund(sessionId, refund.refundId, undefined);
  const charge = charges.find((c) => c.status === "captured" || c.status === "kept");
  if (charge) ledger.correct({ sessionId, chargeId: charge.chargeId }, { givenBack: true });
}

/** Lets the acquirer change the cards of a payment to the state in the books. */
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

/** Any possible resolution of the payment, regardless of the cards and also after its end; undefined if none is possible. */
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
