import { shownMoney } from "../../money.ts";
import { withAlert, type Change } from "../life/advance.ts";
import { amountHeld, ownCaptured, refundedAs, refundsOf } from "../record/kept-money.ts";
import { wantedCharge } from "../record/charge.ts";
import type { Payment, Refund, RefundReason } from "../record/payment.ts";
import { withAwaited } from "../life/deadlines.ts";
import { isTried } from "../life/reversal.ts";

// Messages that a report contradicts. They leave the inbox with its change, so the terminal never moves money by an older report.

/** A message that leaves the inbox. `withdraw`: only if the terminal has not fetched it. `takeOut`: in any case. */
export interface ContradictedMessage {
  readonly sequence: number;
  readonly act: "withdraw" | "takeOut";
}

/** A pending refund that must not be made any more. */
interface ContradictedRefund {
  readonly refund: Refund;
  readonly reason: Extract<RefundReason, "chargeContradicted" | "alreadyRefunded" | "exceedsRefundable">;
  /** The refund that was made after all. */
  readonly made?: Refund;
}

/**
 * The messages that a change by a report contradicts: those of captures, voids and refunds that it ends without answering them, and those
 * of refunds that must not be made any more.
 *
 * @param answered the sequence of the message that the report answers, which is acknowledged. Undefined if unknown
 */
export function contradictedMessages(
  before: Payment,
  { payment: after }: Change,
  answered: number | undefined,
): readonly ContradictedMessage[] {
  const voids = before.charges.filter(isTried).flatMap(({ chargeId, reversal: { sequence } }) => {
    const goesOn = after.charges.some((one) => one.chargeId === chargeId && isTried(one));
    return goesOn ? [] : [sequence];
  });
  const isMarked = wantedCharge(after)?.contradicted && !wantedCharge(before)?.contradicted;
  const isCaptureOver = before.status === "captureRequested" && (isMarked || after.status !== before.status);
  const captures = isCaptureOver && before.awaiting ? [before.awaiting.sequence] : [];
  const refunds = before.refunds.flatMap(({ status, sequence }, i) =>
    status === "pending" && after.refunds[i]?.status !== status ? [sequence] : [],
  );
  const ended = [...voids, ...captures, ...refunds].filter((sequence) => sequence !== answered);
  return [
    ...ended.map((sequence) => ({ sequence, act: "takeOut" }) as const),
    ...contradictedRefunds(before, after).map(({ refund: { sequence } }) => ({ sequence, act: "withdraw" }) as const),
  ];
}

/**
 * The change with its contradicted refunds. A withdrawn one has failed, and its partner is told. One that the terminal has fetched may be
 * made, so an alert calls an operator.
 *
 * @param withdrawn the sequences of the messages that the terminal never gets
 */
export function withContradictedRefunds(before: Payment, change: Change, withdrawn: ReadonlySet<number>): Change {
  const all = contradictedRefunds(before, change.payment);
  const isWithdrawn = ({ refund }: ContradictedRefund): boolean => withdrawn.has(refund.sequence);
  const withFailed = all.filter(isWithdrawn).reduce(failed, change);
  return all
    .filter((one) => !isWithdrawn(one))
    .reduce((next, one) => {
      const detail = fetchedText(withFailed.payment, one);
      return withAlert(next, { alert: "contradictingReport", about: one.refund.refundId, detail });
    }, withFailed);
}

function failed({ payment, entry, effects }: Change, { refund, reason }: ContradictedRefund): Change {
  const { commandId, refundId: about } = refund;
  const outcome = { status: "failed", statusReason: reason, statusDetail: undefined, updatedAt: entry.at } as const;
  const refunds = payment.refunds.map((one) => (one.commandId === commandId ? { ...one, ...outcome } : one));
  return {
    payment: withAwaited({ ...payment, refunds }),
    entry,
    effects: [...effects, { kind: "webhook", type: "refund.failed", about }],
  };
}

function fetchedText(payment: Payment, { refund, made }: ContradictedRefund): string {
  const amount = shownMoney(refund.amount, payment.currency);
  if (!made) return `the terminal has fetched this refund of ${amount}, and reported a void of its charge`;
  const first = `the refund ${made.refundId} of ${shownMoney(made.made ?? made.amount, payment.currency)}`;
  const excess = excessText(payment, made.chargeId, refundsOf(payment, made.chargeId));
  return `the terminal has fetched this refund of ${amount}, and ${first} was made after all${excess}`;
}

/** By how much these refunds of a charge exceed what was captured of it. Empty if they fit. */
export function excessText(payment: Payment, chargeId: string | undefined, refunds: readonly Refund[]): string {
  const excess = -left(payment, chargeId, refunds);
  return excess > 0 ? `; the refunds exceed the captured amount by ${shownMoney(excess, payment.currency)}` : "";
}

/** The captured amount of a charge less these refunds of it. Minor units; below zero if they exceed it. */
function left(payment: Payment, chargeId: string | undefined, refunds: readonly Refund[]): number {
  const charge = payment.charges.find((one) => one.chargeId === chargeId);
  const captured = charge ? amountHeld(payment, charge) : ownCaptured(payment);
  return refunds.reduce((rest, { made, amount }) => rest - (made ?? amount), captured);
}

/**
 * The pending refunds that a change contradicts. If it marks a charge, these are all refunds of that charge. If a refund was made after
 * all, these are the refunds that repeat it or no longer fit. The newest leave first.
 */
function contradictedRefunds(before: Payment, after: Payment): readonly ContradictedRefund[] {
  const pendingOf = (chargeId: string | undefined) =>
    refundsOf(after, chargeId).filter(({ status }) => status === "pending");
  const ofCharges = after.charges.flatMap((charge, i) =>
    charge.contradicted && !before.charges[i]?.contradicted
      ? pendingOf(refundedAs(after, charge)).map((refund) => ({ refund, reason: "chargeContradicted" }) as const)
      : [],
  );
  const ofRefunds = after.refunds.flatMap((made, i) => {
    const { status, updatedAt: failedAt = "" } = before.refunds[i] ?? {};
    if (status !== "failed" || made.status !== "succeeded") return [];
    const gone = pendingOf(made.chargeId)
      .filter(({ amount, createdAt }) => amount === made.amount && createdAt >= failedAt)
      .map((refund): ContradictedRefund => ({ refund, reason: "alreadyRefunded", made }));
    for (const refund of pendingOf(made.chargeId).toReversed()) {
      const isGone = (one: Refund): boolean => gone.some(({ refund: other }) => other === one);
      const remaining = refundsOf(after, made.chargeId).filter((one) => !isGone(one));
      if (left(after, made.chargeId, remaining) >= 0) break;
      if (!isGone(refund)) gone.push({ refund, reason: "exceedsRefundable", made });
    }
    return gone;
  });
  return [...ofCharges, ...ofRefunds];
}
