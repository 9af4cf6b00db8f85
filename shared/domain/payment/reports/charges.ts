import type { RaisedAlert } from "../../alert.ts";
import type { Effect } from "../../effects.ts";
import { businessDayOf } from "../../booking.ts";
import { advance, isChanged, record, type Change, type Step } from "../life/advance.ts";
import type { Brought } from "../life/deadlines.ts";
import type { DecisionContext } from "../life/decision.ts";
import {
  failedTry,
  isGivenUp,
  isSpent,
  isTried,
  lastTry,
  reversing,
  stillDue,
  unfetchedTry,
} from "../life/reversal.ts";
import { chargeVerdictOf, type ChargeReport, type ChargeVerdict } from "./charge-verdicts.ts";
import { amountHeld } from "../record/kept-money.ts";
import { isGivenBack, isHeldBack, isOwnVoid, withCharge, type Charge } from "../record/charge.ts";
import type { Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";
import { contradictedEvent, contradicting, differs } from "./reported.ts";

/** A report's statement about a charge. The amount is in minor units. */
interface ChargeSaid extends Pick<Report, "amount" | "currency" | "detail"> {
  readonly type: ChargeReport;
}

/** When a report came, and the day that its terminal named. */
type MoneyStep = Pick<Step, "now" | "businessDay">;

/** The deadline, due at once, that starts the next of several reversals. Each of them needs a change of its own. */
const nextReversal = ({ now: at }: DecisionContext): Brought => ({ kind: "deadline", name: "nextReversal", at });

/**
 * Starts to reverse charges, each from its first try, and notifies the partner of each. A change enqueues one message, so only the reversal
 * of the first charge starts now. Each other reversal waits for a change of its own.
 */
export function reverseCharges(
  payment: Payment,
  charges: readonly Charge[],
  context: DecisionContext,
): { readonly charges: readonly Charge[]; readonly effects: readonly Brought[] } {
  const [first, ...others] = charges.map((charge) => ({
    ...charge,
    captured:
      charge.status === "inDoubt" || isHeldBack(charge) ? charge.captured : amountHeld(payment, charge) || undefined,
    tries: 0,
    reversal: undefined,
    voidReason: undefined,
    decided: undefined,
  }));
  if (!first) return { charges: payment.charges, effects: [] };
  const begun = reversing(first, payment.sequence + 1, context);
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
  const begun = reversing(next, payment.sequence + 1, context);
  return advance(payment, {
    ...context,
    event: "reversalBegun",
    by: "platform",
    set: { charges: withCharge(payment, begun.charge) },
    effects: [...begun.effects, ...(others.length > 0 ? [nextReversal(context)] : [])],
  });
}

/** Records that a charge was given back. This may end the payment. The payment's own charge ends as `voided`. */
export function reversed(payment: Payment, charge: Charge, step: Omit<Step, "event">): Change | undefined {
  const status = charge.voidReason === undefined ? "reversed" : "voided";
  const decided = step.by === "operator" || undefined;
  return told(payment, charge, "reversal.succeeded", {
    ...step,
    event: isOwnVoid(payment, charge) ? "voided" : "reversed",
    set: { charges: withCharge(payment, { ...charge, status, decided, updatedAt: step.now }) },
  });
}

/**
 * The end of a charge's reversal, with its event. The payment's own charge has no event of its own if the payment tells of it. The payment
 * tells nothing as long as another charge keeps it as it is.
 */
function told(
  payment: Payment,
  charge: Charge,
  type: "reversal.succeeded" | "reversal.failed",
  step: Step,
): Change | undefined {
  const change = advance(payment, step);
  const isTold = change && isOwnVoid(payment, charge) && isChanged(payment, change.payment);
  return isTold ? change : advance(payment, { ...step, effects: [{ kind: "webhook", type, about: charge.chargeId }] });
}

/**
 * Acts on a reversal whose try has failed, or whose message the terminal has not fetched. The next try is a new message, because a terminal
 * answers a repeated message with its first result. An unfetched message stays due until it is given up. After the last try the reversal
 * has failed.
 */
export function reversalOverdue(
  payment: Payment,
  charge: Charge,
  isUnfetched: boolean,
  context: DecisionContext,
): Change | undefined {
  if (!isTried(charge)) return undefined;
  const tried = { ...charge, tries: charge.tries + (isUnfetched ? 0 : 1) };
  if (isUnfetched ? isGivenUp(charge, context) : isSpent(tried)) return reversalFailed(payment, tried, context);
  const next = isUnfetched ? stillDue(charge, context) : reversing(tried, payment.sequence + 1, context);
  return advance(payment, {
    ...context,
    by: "platform",
    event: "reversalOverdue",
    set: { charges: withCharge(payment, next.charge) },
    effects: next.effects,
    alerts: isUnfetched ? unfetchedTry(charge, context) : failedTry(charge),
  });
}

const reversalFailed = (payment: Payment, charge: Charge, context: DecisionContext): Change | undefined =>
  told(payment, charge, "reversal.failed", {
    ...context,
    by: "platform",
    event: "reversalFailed",
    alerts: lastTry(charge),
    set: { charges: withCharge(payment, { ...charge, status: "reversalFailed", updatedAt: context.now }) },
  });

/**
 * The charge after a report that agrees with it. If the report describes what an operator recorded, the operator's decision and correction
 * are removed. The money is the terminal's own from then on.
 */
function affirmed(payment: Payment, charge: Charge, { type, amount, currency }: ChargeSaid): Charge {
  const { status } = charge;
  const isBack = type === "voided" && isGivenBack(charge);
  const isTaken = type === "captured" && (status === "captured" || status === "kept");
  const isAmount = amount === undefined || (amount === amountHeld(payment, charge) && currency === charge.currency);
  return isBack || (isTaken && isAmount) ? { ...charge, correction: undefined, decided: undefined } : charge;
}

/** The captured amount that a report states, in minor units. Undefined if it cannot be a part of the charge. */
const capturedPart = (charge: Charge, { amount = 0, currency }: ChargeSaid): number | undefined =>
  currency === charge.currency && amount <= charge.amount ? amount : undefined;

/** The charge in doubt with its reported capture, which is booked once the doubt has ended. */
function doubted(payment: Payment, charge: Charge, said: ChargeSaid, { now, businessDay }: MoneyStep): Charge {
  const captured = capturedPart(charge, said);
  const capturedOn = captured === undefined ? undefined : businessDayOf(businessDay, now, payment);
  return { ...charge, status: "inDoubt", captured, capturedOn, updatedAt: now };
}

/** A charge in doubt keeps its first reported capture. */
const stillDoubted = (payment: Payment, charge: Charge, said: ChargeSaid, step: MoneyStep): Charge =>
  said.type === "captured" && charge.captured === undefined ? doubted(payment, charge, said, step) : charge;

/** The alert for a capture with another amount or currency than the charge has. */
function otherAmount(payment: Payment, charge: Charge, { type, amount, currency }: ChargeSaid): readonly RaisedAlert[] {
  const taken = charge.status === "inDoubt" ? charge.captured : amountHeld(payment, charge);
  const isOther = amount !== undefined && (amount !== taken || currency !== charge.currency);
  const isTaken = ["captured", "kept", "inDoubt"].includes(charge.status);
  return type === "captured" && isTaken && isOther ? [differs(charge.chargeId, { amount, currency })] : [];
}

/** The charge after a report that contradicts it, and the effects. */
function contradicted(
  payment: Payment,
  charge: Charge,
  said: ChargeSaid,
  step: { readonly verdict: ChargeVerdict } & MoneyStep,
): { readonly charge: Charge; readonly effects: readonly Effect<"payment">[] } {
  const stays = { charge, effects: [] };
  if (charge.decided) return stays;
  switch (step.verdict) {
    case "books":
      return { ...stays, charge: { ...charge, captured: charge.captured ?? capturedPart(charge, said) } };
    case "doubts":
      return { charge: doubted(payment, charge, said, step), effects: [contradictedEvent(charge.chargeId)] };
    case "marks":
      if (charge.contradicted) return stays;
      return {
        charge: { ...charge, contradicted: true, updatedAt: step.now },
        effects: [contradictedEvent(charge.chargeId)],
      };
    default:
      return stays;
  }
}

/** Decides on a report about a charge by the charge's state. Undefined if the payment's own table decides. */
export function chargeReported(payment: Payment, charge: Charge, said: ChargeSaid, step: Omit<Step, "event">) {
  const { type: event } = said;
  const verdict = chargeVerdictOf(charge.status, event);
  const recorded = (next: Charge, more: Partial<Step>): Change =>
    record(payment, { ...step, ...more, event, set: { charges: withCharge(payment, next) } });
  switch (verdict) {
    case "asPayment":
      return undefined;
    case "moves":
      return reversed(payment, charge, step);
    case "fails":
      return isTried(charge)
        ? recorded({ ...charge, reversal: { ...charge.reversal, failed: true } }, { alerts: failedTry(charge) })
        : recorded(charge, {});
    case "agrees": {
      const isInDoubt = charge.status === "inDoubt";
      const next = isInDoubt ? stillDoubted(payment, charge, said, step) : affirmed(payment, charge, said);
      return recorded(next, { alerts: otherAmount(payment, next, said) });
    }
    default: {
      const { charge: next, effects } = contradicted(payment, charge, said, { ...step, verdict });
      return recorded(next, {
        effects,
        alerts: [contradicting(said, charge.chargeId, `the charge is ${charge.status}`)],
      });
    }
  }
}
