import type { Resolution } from "../../../shared/domain/payment/resolution.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { wantedCharge, type Charge, type Payment } from "../../../shared/domain/payment/payment.ts";
import type { Random } from "../../support/seeded-random.ts";
import type { CardCharge, CardLedger } from "./card-ledger.ts";
import { paidUnknown } from "./differences.ts";

/** What an operator says of a payment, a refund or a charge; who says it, and why, comes with it. */
export type Word = Resolution extends infer R ? (R extends Resolution ? Omit<R, "by" | "why"> : never) : never;

const resolvable = new Set(["reconciling", "authorized", "captureRequested", "voidRequested"]);

/**
 * What is to be said next of a payment that does not end by itself, as the cards have it; undefined where nothing is. Where a card stands
 * otherwise than it should, the acquirer changes that first.
 *
 * @param isInDoubt whether an alert says so of the payment, or of the charge or refund that is named
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
  if (!charge) return undefined;
  ledger.correct(nameOf(payment, charge), { givenBack: true });
  return { of: "charge", chargeId: charge.chargeId, outcome: "reversed" };
}

/** Paid by one of its charges, where there is one that can be meant, and the operator would rather; else unpaid. All others go back. */
function ofPayment(random: Random, ledger: CardLedger, payment: Payment): Word {
  const cards = ledger.chargesOf(payment.sessionId).filter((card) => !card.givenBack);
  const meant = cards.find((card) => canBeMeant(payment, card));
  const isPaid = meant !== undefined && random.chance(0.5);
  for (const card of cards) if (!isPaid || card !== meant) ledger.correct(card, { givenBack: true });
  if (!isPaid) return { of: "payment", outcome: "unpaid" };
  const taken = meant.taken > 0 ? meant.taken : meant.amount;
  ledger.correct(meant, { taken });
  return { of: "payment", outcome: "paid", amount: fromMinorUnits(taken, payment.currency) };
}

/** `paid` takes the wanted charge, or the known one of that amount, or the first of that amount that is told later. */
function canBeMeant(payment: Payment, card: Readonly<CardCharge>): boolean {
  if (card.currency !== payment.currency) return false;
  const wanted = wantedCharge(payment);
  if (wanted) return wanted.chargeId === card.chargeId;
  const alike = payment.charges.filter((c) => c.amount === (card.taken || card.amount));
  return alike.every((c) => c.chargeId === card.chargeId);
}

/** Has the acquirer bring the cards of a payment to what the books say of them. */
export function haveCardsCorrected(ledger: CardLedger, payment: Payment): void {
  const { sessionId, charges, refunds, amounts } = payment;
  const paid = paidUnknown(payment, ledger.chargesOf(sessionId));
  for (const card of ledger.chargesOf(sessionId)) {
    if (card === paid?.card) continue;
    const charge = charges.find((c) => c.chargeId === card.chargeId);
    const isHeld = charge?.status === "authorized" || charge?.status === "captured";
    ledger.correct(
      card,
      isHeld ? { givenBack: false, taken: charge.status === "captured" ? amounts.captured : 0 } : { givenBack: true },
    );
  }
  const made = new Map(refunds.flatMap((r) => (r.status === "succeeded" ? [[r.refundId, r.made ?? r.amount]] : [])));
  for (const refundId of new Set([...made.keys(), ...refundsOf(ledger, payment).keys()]))
    ledger.correctRefund(sessionId, refundId, made.get(refundId));
}

/** Anything that may be said of the payment at all, whatever the cards say; undefined where nothing may. */
export function aWrongWord(random: Random, { status, charges, refunds }: Payment): Word | undefined {
  const words: Word[] = [
    ...(resolvable.has(status) ? (["paid", "unpaid"] as const) : []).map(
      (outcome) => ({ of: "payment", outcome }) as const,
    ),
    ...charges.filter(isGoingBack).map(({ chargeId }) => ({ of: "charge", chargeId, outcome: "reversed" }) as const),
    ...refunds.flatMap(({ refundId, status }) =>
      status === "pending" ? [{ of: "refund", refundId, outcome: random.pick("succeeded", "failed") } as const] : [],
    ),
  ];
  const [first, ...others] = words;
  return first && random.pick(first, ...others);
}

const isGoingBack = ({ status }: Charge): boolean => status === "reversing" || status === "reversalFailed";
const nameOf = ({ sessionId }: Payment, { chargeId }: Charge) => ({ sessionId, chargeId });
const refundsOf = (ledger: CardLedger, { sessionId }: Payment): ReadonlyMap<string, number> =>
  new Map(ledger.chargesOf(sessionId).flatMap(({ refunds }) => [...refunds]));
