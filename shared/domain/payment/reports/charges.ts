import type { RaisedAlert } from "../../alert.ts";
import type { Effect } from "../../effects.ts";
import { after, msBetween } from "../../time.ts";
import { advance, record, type Change, type Step } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import { chargeVerdictOf, type ChargeReport } from "./charge-verdicts.ts";
import { amountHeld } from "../record/kept-money.ts";
import { isGivenBack, type Charge, type Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";
import { differs } from "./reported.ts";

/** After this number of failed tries, a reversal has failed. An operator must then have the money given back. */
const MAX_REVERSAL_TRIES = 5;

/** A report's statement about a charge. The amount is in minor units. */
interface ChargeSaid extends Pick<Report, "amount" | "currency"> {
  readonly type: ChargeReport;
}

export const withCharge = ({ charges }: Pick<Payment, "charges">, charge: Charge): readonly Charge[] =>
  charges.map((c) => (c.chargeId === charge.chargeId ? charge : c));

/** Starts a try to reverse a charge: the charge as `reversing`, the message to the terminal, and the deadline that ends the try. */
export function reversing(
  charge: Charge,
  { sequence, context: { now, commandId, timings } }: { readonly sequence: number; readonly context: DecisionContext },
): { readonly charge: Charge; readonly effects: readonly Effect<"payment">[] } {
  const { chargeId, amount, currency } = charge;
  return {
    charge: { ...charge, status: "reversing", reversal: { commandId, sequence }, updatedAt: now },
    effects: [
      { kind: "message", message: { type: "void", chargeId, amount, currency } },
      { kind: "deadline", deadline: "reversal", due: after(now, timings.retryVoidSeconds) },
    ],
  };
}

/** The deadline, due at once, that starts the next of several reversals. Each of them needs a change of its own. */
const nextReversal = ({ now: due }: DecisionContext): Effect<"payment"> => ({
  kind: "deadline",
  deadline: "nextReversal",
  due,
});

/**
 * Starts to reverse charges, each from its first try, and notifies the partner of each. A change enqueues one message, so only the reversal
 * of the first charge starts now. Each other reversal waits for a change of its own.
 */
export function reverseCharges(
  payment: Payment,
  charges: readonly Charge[],
  context: DecisionContext,
): { readonly charges: readonly Charge[]; readonly effects: readonly Effect<"payment">[] } {
  const [first, ...others] = charges.map((charge) => ({
    ...charge,
    captured: charge.status === "inDoubt" ? charge.captured : amountHeld(payment, charge) || undefined,
    tries: 0,
    reversal: undefined,
  }));
  if (!first) return { charges: payment.charges, effects: [] };
  const begun = reversing(first, { sequence: payment.sequence + 1, context });
  const waiting = others.map((charge) => ({ ...charge, status: "reversing" as const, updatedAt: context.now }));
  return {
    charges: [begun.charge, ...waiting].reduce((all, charge) => withCharge({ charges: all }, charge), payment.charges),
    effects: [
      ...begun.effects,
      ...(waiting.length > 0 ? [nextReversal(context)] : []),
      ...charges.map(({ chargeId }) => ({ kind: "webhook", type: "reversal.requested", about: chargeId }) as const),
    ],
  };
}

/** Starts the next waiting reversal. Undefined if none waits. */
export function beginReversal(payment: Payment, context: DecisionContext): Change | undefined {
  const [next, ...others] = payment.charges.filter((c) => c.status === "reversing" && c.reversal === undefined);
  if (!next) return undefined;
  const begun = reversing(next, { sequence: payment.sequence + 1, context });
  return advance(payment, {
    ...context,
    event: "reversalBegun",
    by: "platform",
    set: { charges: withCharge(payment, begun.charge) },
    effects: [...begun.effects, ...(others.length > 0 ? [nextReversal(context)] : [])],
  });
}

/** Records that an unwanted charge was given back. This may end the payment. */
export const reversed = (payment: Payment, charge: Charge, step: Omit<Step, "event">): Change | undefined =>
  advance(payment, {
    ...step,
    event: "reversed",
    set: { charges: withCharge(payment, { ...charge, status: "reversed", updatedAt: step.now }) },
    effects: [{ kind: "webhook", type: "reversal.succeeded", about: charge.chargeId }],
  });

/**
 * Acts on a reversal whose try has failed, or whose message the terminal has not fetched. The next try is a new message, because a terminal
 * answers a repeated message with its first result. After the last try the reversal has failed. An unfetched message stays due forever.
 * Once the charge is `doubtSeconds` old, each deadline raises an alert.
 */
export function reversalOverdue(
  payment: Payment,
  charge: Charge,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  if (charge.status !== "reversing" || !charge.reversal) return undefined;
  const step = { ...context, by: "platform" } as const;
  const tries = charge.tries + (isUnfetched ? 0 : 1);
  if (tries >= MAX_REVERSAL_TRIES) return reversalFailed(payment, { ...charge, tries }, step);
  const sequence = payment.sequence + 1;
  const next = reversing({ ...charge, tries }, { sequence, context });
  const effects = isUnfetched ? next.effects.filter(({ kind }) => kind === "deadline") : next.effects;
  const reversal = isUnfetched ? { ...charge.reversal, commandId: context.commandId } : next.charge.reversal;
  const charges = withCharge(payment, { ...next.charge, reversal });
  const alerts = isUnfetched && isInDoubtForLong(charge, context) ? [unknownOutcome(charge)] : [];
  return advance(payment, { ...step, event: "reversalOverdue", set: { charges }, effects, alerts });
}

const isInDoubtForLong = ({ createdAt }: Charge, { now, timings }: DecisionContext): boolean =>
  msBetween(createdAt, now) >= timings.doubtSeconds * 1000;

const unknownOutcome = ({ chargeId: about }: Charge): RaisedAlert => ({ alert: "outcomeUnknown", about });

const reversalFailed = (payment: Payment, charge: Charge, step: Omit<Step, "event">): Change | undefined =>
  advance(payment, {
    ...step,
    event: "reversalFailed",
    alerts: [{ alert: "reversalFailed", about: charge.chargeId }],
    set: { charges: withCharge(payment, { ...charge, status: "reversalFailed", updatedAt: step.now }) },
    effects: [{ kind: "webhook", type: "reversal.failed", about: charge.chargeId }],
  });

const contradiction = ({ chargeId: about, status }: Charge): RaisedAlert => ({
  alert: "contradictingReport",
  about,
  detail: `the charge is ${status}`,
});

/**
 * The charge after a report that agrees with it. If the report describes a movement that an operator recorded, the correction is removed.
 * The money is the terminal's own from then on.
 */
function affirmed(payment: Payment, charge: Charge, { type, amount, currency }: ChargeSaid): Charge {
  const { status, correction } = charge;
  if (!correction) return charge;
  const isBack = type === "voided" && isGivenBack(charge);
  const isTaken = type === "captured" && (status === "captured" || status === "kept");
  const isAmount = amount === undefined || (amount === amountHeld(payment, charge) && currency === charge.currency);
  return isBack || (isTaken && isAmount) ? { ...charge, correction: undefined } : charge;
}

/** A charge that the terminal captured although it was to reverse it. The merchant has the money until it is given back. */
function taken(charge: Charge, { type, amount = 0, currency }: ChargeSaid): Charge {
  const isHeld = type === "captured" && (charge.status === "reversing" || charge.status === "reversalFailed");
  const isPart = currency === charge.currency && amount <= charge.amount;
  return isHeld && isPart && charge.captured === undefined ? { ...charge, captured: amount } : charge;
}

/** The alert for a repeated capture with another amount or currency than the merchant has of the charge. */
function otherAmount(payment: Payment, charge: Charge, { type, amount, currency }: ChargeSaid): readonly RaisedAlert[] {
  const isTaken = type === "captured" && (charge.status === "captured" || charge.status === "kept");
  const isOther = amount !== undefined && (amount !== amountHeld(payment, charge) || currency !== charge.currency);
  return isTaken && isOther ? [differs(charge.chargeId, { amount, currency })] : [];
}

/** Decides on a report about a charge by the charge's state. Undefined if the payment's own table decides. */
export function chargeReported(payment: Payment, charge: Charge, said: ChargeSaid, step: Omit<Step, "event">) {
  const { type } = said;
  const verdict = chargeVerdictOf(charge.status, type);
  switch (verdict) {
    case "asPayment":
      return undefined;
    case "moves":
      return reversed(payment, charge, step);
    case "agrees":
    case "contradicts":
      return record(payment, {
        ...step,
        event: type,
        set: { charges: withCharge(payment, taken(affirmed(payment, charge, said), said)) },
        alerts: verdict === "contradicts" ? [contradiction(charge)] : otherAmount(payment, charge, said),
      });
  }
}
