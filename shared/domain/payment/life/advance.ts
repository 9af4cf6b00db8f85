import type * as z from "zod";
import { storableAlert, type namedAlertRecord, type RaisedAlert } from "../../alert.ts";
import type { Effect } from "../../effects.ts";
import type { Receipt } from "../record/card.ts";
import { wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import type { HistoryEntry } from "../record/history-entry.ts";
import type { Payment, StatusReason } from "../record/payment.ts";
import { withCorrections } from "../record/held-money.ts";
import { keptAmount } from "../record/kept-money.ts";
import type { Day, Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import type { Actor, PaymentEvent } from "../record/events.ts";
import type { Decline } from "../record/decline-code.ts";
import type { Said } from "../record/said.ts";
import { withDeadlines, type Brought } from "./deadlines.ts";
import { askedToVoid } from "./before-void.ts";
import { brought } from "./rule-effects.ts";
import type { Rule } from "./rules.ts";
import { orderUpdates } from "./order-update.ts";
import { closedDiscounts, concludedDiscounts } from "./closed-discounts.ts";
import { eventBy } from "./event-by.ts";
import { ownReversal } from "./reversal.ts";
import { ruleFor } from "./rule-for.ts";
import { captureBefore } from "./timeouts.ts";
import { decidedVouchers } from "./voucher-use.ts";

/** A change of a payment: the new record, its history entry and its effects. One commit writes them. */
export interface Change {
  readonly payment: Payment;
  readonly entry: HistoryEntry;
  readonly effects: readonly Effect<"payment">[];
  /** The receipt that its report printed. It is stored with the change. */
  readonly receipt?: Receipt | undefined;
}

/** An event of a payment, as the caller of `advance` and `record` describes it. */
export interface Step {
  readonly event: PaymentEvent;
  readonly by: Actor;
  readonly now: Instant;
  /** The command that this step's change commits. */
  readonly commandId: string;
  readonly timings: Timings;
  /** The sequence of the command whose message a report answers. Undefined if unknown. */
  readonly answered?: number | undefined;
  /** Facts that the event brings: amounts, card, a refund's new state. */
  readonly set?: Partial<Payment>;
  /** The amount for the history, in minor units of the payment's currency. */
  readonly amount?: number;
  /** Overrides the rule's reason. */
  readonly reason?: StatusReason;
  readonly detail?: string | undefined;
  /** Why the card was declined, for the state that is entered. */
  readonly decline?: Decline | undefined;
  readonly operator?: HistoryEntry["operator"];
  /** The amount that the terminal reports as captured, if it differs from the requested one. Minor units. */
  readonly captured?: number;
  readonly reportId?: string;
  readonly messageId?: string | undefined;
  readonly said?: Said;
  /** The business day that the terminal or an operator named. */
  readonly businessDay?: Day | undefined;
  /** How long before `now` the reported event happened, in milliseconds. Undefined if unknown. */
  readonly agoMs?: number | undefined;
  /** Effects and deadlines in addition to those of the state that is entered. */
  readonly effects?: readonly Brought[];
  /** Alerts for an operator. The history names each one, and an effect carries each one. */
  readonly alerts?: readonly RaisedAlert[];
}

/** Takes one transition of the table. Undefined if the table has none for this state and event. */
export function advance(payment: Payment, event: Step): Change | undefined {
  const rule = ruleFor({ ...payment, ...event.set }, event.event, event);
  if (!rule) return undefined;
  const step = alarmed(payment, event, rule);
  const reason = step.reason ?? (rule.reason === "kept" ? keptReason(payment) : rule.reason);
  const back = rule.reverses && ownReversal(payment, rule.reverses, step);
  const noted = withFacts(payment, rule, step, back?.charge);
  const moved = rule.enters ? entered(payment, noted, { rule, step, reason }) : noted;
  const next = withCorrections(payment, moved, step);
  return {
    entry: entry(payment, next, step, { reason }),
    ...withDeadlines(next, [
      ...brought(next, rule, step),
      ...(back?.effects ?? []),
      ...(step.effects ?? []),
      ...orderUpdates(payment, next),
      ...decidedVouchers(payment, next).map((voucher): Effect<"payment"> => ({ kind: "voucherOutcome", ...voucher })),
      ...changed(payment, next, step),
      ...concludedDiscounts(payment, next, step.by),
      ...raised(step),
    ]),
  };
}

/** The step with the alert of its rule. A contradiction is about the payment's charge. */
function alarmed(payment: Payment, step: Step, { raises }: Rule): Step {
  if (!raises) return step;
  const about = raises === "contradictingReport" ? wantedCharge(payment)?.chargeId : undefined;
  return { ...step, alerts: [...(step.alerts ?? []), { alert: raises, about, detail: step.event }] };
}

const keptReason = ({ charges, statusReason }: Payment): StatusReason | undefined =>
  charges.find(({ voidReason }) => voidReason !== undefined)?.voidReason ?? statusReason;

/** The payment with the facts of a step, in the state that the rule leads to. */
function withFacts(
  payment: Payment,
  rule: Rule,
  { event, set, now, captured }: Step,
  back: Charge | undefined,
): Payment {
  const merged = { ...payment, ...set };
  return {
    ...merged,
    status: rule.to,
    cancelRequestedBy: payment.cancelRequestedBy ?? rule.cancelBy,
    partnerCancelled: payment.partnerCancelled ?? cancelsToo(payment, rule),
    amounts: capturedBy(merged, rule, captured),
    charges: back ? withCharge(merged, back) : chargesBy(merged, rule, now),
    discounts: closedDiscounts(merged.discounts, rule.to, now),
    askedToVoid: askedToVoid(payment, rule, event),
    sequence: payment.sequence + 1,
    updatedAt: now,
  };
}

const cancelsToo = ({ cancelRequestedBy }: Payment, { cancelBy }: Rule): true | undefined =>
  (cancelRequestedBy === "platform" && cancelBy === "partner") || undefined;

/** The payment as it enters the state that the rule leads to. */
function entered(
  before: Payment,
  next: Payment,
  { rule, step, reason }: { readonly rule: Rule; readonly step: Step; readonly reason: StatusReason | undefined },
): Payment {
  const { now, commandId, timings, detail, decline } = step;
  return {
    ...next,
    statusReason: reason,
    statusDetail: detail,
    ...declineOf(decline),
    awaiting: rule.awaits ? { commandId, sequence: next.sequence } : before.awaiting,
    captureBefore: captureBefore(before, rule, now, timings),
    terminalForgot: step.event === "forgot" || (rule.to === before.status ? before.terminalForgot : undefined),
  };
}

/** Every state has its own decline, or none. */
const declineOf = ({ declineCode, hostCode }: Decline = {}): Decline => ({ declineCode, hostCode });

/** The amounts after a transition by this rule. */
function capturedBy(
  { amounts, captureAmount, charges }: Payment,
  { captures }: Rule,
  captured: number | undefined,
): Payment["amounts"] {
  if (!captures) return amounts;
  const { authorized } = amounts;
  const requested = captureAmount ?? authorized;
  const own = captured ?? (captures === "requested" ? requested : authorized);
  return { ...amounts, captured: own + keptAmount({ charges }) };
}

/** The charges after a transition by this rule: the wanted charge follows its payment. */
const chargesBy = ({ charges }: Payment, { captures }: Rule, updatedAt: Instant): Payment["charges"] =>
  captures
    ? charges.map((charge) => (charge.status === "authorized" ? { ...charge, status: "captured", updatedAt } : charge))
    : charges;

/** Records an event that is not a transition. The history gains an entry, and the payment's state stays. */
export function record(payment: Payment, step: Step): Change {
  const sequence = payment.sequence + 1;
  const next = withCorrections(payment, { ...payment, ...step.set, sequence, updatedAt: step.now }, step);
  return {
    entry: entry(payment, next, step, { recordedOnly: true }),
    ...withDeadlines(next, [...(step.effects ?? []), ...orderUpdates(payment, next), ...raised(step)]),
  };
}

function entry(before: Payment, next: Payment, step: Step, more: Partial<HistoryEntry>): HistoryEntry {
  return {
    sequence: next.sequence,
    at: step.now,
    by: step.by,
    event: step.event,
    from: before.status,
    to: next.status,
    amount: step.amount,
    reportId: step.reportId,
    messageId: step.messageId,
    said: step.said,
    detail: step.detail,
    operator: step.operator,
    businessDay: step.businessDay,
    agoMs: step.agoMs,
    alerts: step.alerts?.length ? step.alerts.map(named) : undefined,
    ...more,
  };
}

/** The change with one more alert, unless it already raises the same alert. */
export function withAlert(change: Change, raised: RaisedAlert): Change {
  const alert = { kind: "alert", ...storableAlert(raised) } as const;
  const isSame = (other: Effect<"payment">) =>
    other.kind === "alert" && other.alert === alert.alert && other.about === alert.about;
  if (change.effects.some(isSame)) return change;
  const alerts = [...(change.entry.alerts ?? []), named(raised)];
  return { ...change, entry: { ...change.entry, alerts }, effects: [...change.effects, alert] };
}

const named = (raised: RaisedAlert): z.infer<typeof namedAlertRecord> => {
  const { alert: kind, about } = storableAlert(raised);
  return { kind, about };
};

const raised = ({ alerts = [] }: Step): Effect<"payment">[] =>
  alerts.map((alert) => ({ kind: "alert", ...storableAlert(alert) }));

/** An event for a changed state or reason. */
const changed = (before: Payment, next: Payment, { by }: Step): Effect<"payment">[] =>
  isChanged(before, next) ? [eventBy(by, `payment.${next.status}`)] : [];

/** Whether the payment has another state or reason, of which an event tells. */
export const isChanged = (before: Payment, next: Payment): boolean =>
  before.status !== next.status || before.statusReason !== next.statusReason;
