import { z } from "zod";
import { namedAlertRecord, storableAlert, type RaisedAlert } from "../alert.ts";
import type { Effect } from "../effects.ts";
import {
  holdsTerminal,
  paymentStates,
  statusReasons,
  wantedCharge,
  type Payment,
  type PaymentState,
  type StatusReason,
} from "./payment.ts";
import { keptAmount } from "./kept-money.ts";
import type { RecordOf } from "../record.ts";
import type { TerminalMessage } from "../terminal-message.ts";
import { after, instant, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { paymentEvents, type PaymentEvent } from "./events.ts";
import type { Rule, SentMessage } from "./rules.ts";
import { timeouts } from "./timeouts.ts";
import { orderUpdates } from "./order-update.ts";
import { ruleFor } from "./transitions.ts";
import { decidedVouchers } from "./voucher-use.ts";

export const actors = ["partner", "terminal", "platform", "operator"] as const;
export type Actor = (typeof actors)[number];

/** One line of a payment's history. `from` and `to` are equal where something was recorded without a transition. */
export const historyEntryRecord = z.object({
  sequence: z.int(),
  at: instant,
  by: z.enum(actors),
  event: z.enum(["request", ...paymentEvents]),
  from: z.enum(paymentStates).optional(),
  to: z.enum(paymentStates),
  reason: z.enum(statusReasons).optional(),
  reportId: z.string().optional(),
  /** The message that the report answers. */
  messageId: z.string().optional(),
  detail: z.string().optional(),
  /** The event is stale or contradictory, and changed nothing. */
  recordedOnly: z.boolean().optional(),
  /** What the change has an operator look at; absent where that is nothing. */
  alerts: z.array(namedAlertRecord).optional(),
});
export interface HistoryEntry extends RecordOf<typeof historyEntryRecord> {}

/** What one commit writes, and what it makes happen elsewhere. */
export interface Change {
  readonly payment: Payment;
  readonly entry: HistoryEntry;
  readonly effects: readonly Effect<"payment">[];
}

/** Something that happened to a payment, as the caller of `advance` and `record` tells it. */
export interface Step {
  readonly event: PaymentEvent;
  readonly by: Actor;
  readonly now: Instant;
  /** The command that a change of this step commits. */
  readonly commandId: string;
  readonly timings: Timings;
  /** Facts that come with the event: amounts, card, a refund's new state. */
  readonly set?: Partial<Payment>;
  /** Overrides the rule's reason. */
  readonly reason?: StatusReason;
  readonly detail?: string | undefined;
  /** What the terminal says it captured, where that is not what was requested. Minor units. */
  readonly captured?: number;
  readonly reportId?: string;
  readonly messageId?: string | undefined;
  /** Effects beside those that follow from the state entered. */
  readonly effects?: readonly Effect<"payment">[];
  /** What an operator has to look at; the history names each alert, and an effect of its own carries it. */
  readonly alerts?: readonly RaisedAlert[];
}

/** Takes one transition of the table, or returns undefined where the table has none for this state and event. */
export function advance(payment: Payment, event: Step): Change | undefined {
  const rule = ruleFor({ ...payment, ...event.set }, event.event, event);
  if (!rule) return undefined;
  const step = withAlert(event, rule);
  const reason = step.reason ?? (rule.reason === "kept" ? payment.statusReason : rule.reason);
  const noted = withFacts(payment, rule, step);
  const next = rule.enters ? entered(payment, noted, { rule, step, reason }) : noted;
  return {
    payment: next,
    entry: entry(payment, next, step, { reason }),
    effects: [
      ...brought(payment, next, rule, step),
      ...(step.effects ?? []),
      ...orderUpdates(payment, next, step),
      ...decidedVouchers(payment, next).map((voucher): Effect<"payment"> => ({ kind: "voucherOutcome", ...voucher })),
      ...webhooks(payment, next, step),
      ...concludedDiscounts(payment, next, step),
      ...raised(step),
    ],
  };
}

const withAlert = (step: Step, { raises }: Rule): Step =>
  raises ? { ...step, alerts: [...(step.alerts ?? []), { alert: raises, detail: step.event }] } : step;

/** The payment with the facts of a step, in the state that the rule leads to. */
function withFacts(payment: Payment, rule: Rule, { set, now, captured }: Step): Payment {
  const merged = { ...payment, ...set };
  return {
    ...merged,
    status: rule.to,
    cancelRequestedBy: payment.cancelRequestedBy ?? rule.cancelBy,
    amounts: capturedBy(merged, rule, captured),
    charges: chargesBy(merged, rule, now),
    awaiting: rule.voids ? undefined : merged.awaiting, // the void is answered, also where other charges are still to come back
    discounts: closedDiscounts(merged.discounts, rule.to, now),
    sequence: payment.sequence + 1,
    updatedAt: now,
  };
}

/** The payment as it enters the state that the rule leads to. */
function entered(
  before: Payment,
  next: Payment,
  { rule, step, reason }: { readonly rule: Rule; readonly step: Step; readonly reason: StatusReason | undefined },
): Payment {
  const { now, commandId, timings, detail } = step;
  const firstCaptureBefore = before.captureBefore ?? after(now, timings.captureSeconds);
  return {
    ...next,
    statusReason: reason,
    statusDetail: detail,
    awaiting: rule.awaits ? { commandId, sequence: next.sequence } : before.awaiting,
    captureBefore: rule.arms === "capture" ? firstCaptureBefore : before.captureBefore,
    terminalForgot: step.event === "forgot" || (rule.to === before.status ? before.terminalForgot : undefined),
  };
}

/** What counts as captured after a transition by this rule. */
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

/** The wanted charge goes as its payment goes. */
function chargesBy({ charges }: Payment, { captures, voids }: Rule, updatedAt: Instant): Payment["charges"] {
  const status = captures ? "captured" : voids ? "voided" : undefined;
  if (!status) return charges;
  return charges.map((charge) => (charge.status === "authorized" ? { ...charge, status, updatedAt } : charge));
}

/** Notes a report that is no transition: the history tells it, the payment's state stays. */
export function record(payment: Payment, step: Step): Change {
  const next = { ...payment, ...step.set, sequence: payment.sequence + 1, updatedAt: step.now };
  return {
    payment: next,
    entry: entry(payment, next, step, { recordedOnly: true }),
    effects: [...(step.effects ?? []), ...orderUpdates(payment, next, step), ...raised(step)],
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
    reportId: step.reportId,
    messageId: step.messageId,
    detail: step.detail,
    alerts: step.alerts?.length ? step.alerts.map(named) : undefined,
    ...more,
  };
}

const named = (raised: RaisedAlert): z.infer<typeof namedAlertRecord> => {
  const { alert: kind, about } = storableAlert(raised);
  return { kind, about };
};

const raised = ({ alerts = [] }: Step): Effect<"payment">[] =>
  alerts.map((alert) => ({ kind: "alert", ...storableAlert(alert) }));

/** The messages that transitions send, as the payment makes them. */
const messages: Readonly<Record<SentMessage, (payment: Payment) => TerminalMessage>> = {
  cancel: () => ({ type: "cancel" }),
  statusQuery: () => ({ type: "statusQuery" }),
  capture: (payment) => ({
    type: "capture",
    chargeId: wantedCharge(payment)?.chargeId,
    amount: payment.captureAmount ?? payment.amounts.authorized,
    currency: payment.currency,
  }),
  void: (payment) => ({
    type: "void",
    chargeId: wantedCharge(payment)?.chargeId,
    amount: payment.amounts.authorized,
    currency: payment.currency,
  }),
};

/** The message and the deadline that a rule brings. */
function brought(before: Payment, next: Payment, { sends, arms }: Rule, { now, timings }: Step): Effect<"payment">[] {
  return [
    ...(sends ? [{ kind: "message", message: messages[sends](next) } as const] : []),
    ...(arms
      ? [{ kind: "deadline", deadline: arms, due: timeouts[arms].due({ before, next, now, timings }) } as const]
      : []),
  ];
}

/** Once the terminal is let go, a discount that it never answered for was not applied. */
const closedDiscounts = (discounts: Payment["discounts"], to: PaymentState, now: Instant): Payment["discounts"] =>
  holdsTerminal(to)
    ? discounts
    : discounts.map((d) => (d.status === "requested" ? { ...d, status: "refused", updatedAt: now } : d));

/** The discounts that this step settled, each with an event of its own. */
function concludedDiscounts(before: Payment, next: Payment, { by }: Step): Effect<"payment">[] {
  if (by === "partner") return [];
  const wasOpen = new Set(before.discounts.flatMap((d) => (d.status === "requested" ? [d.discountId] : [])));
  return next.discounts
    .filter((d) => d.status !== "requested" && wasOpen.has(d.discountId))
    .map((d) => ({ kind: "webhook", type: `discount.${d.status}`, about: d.discountId }));
}

/** What the partner asked for itself is answered, not called back; what terminal or platform did is called back. */
function webhooks(before: Payment, next: Payment, { by }: Step): Effect<"payment">[] {
  const changed = before.status !== next.status || before.statusReason !== next.statusReason;
  return changed && by !== "partner" ? [{ kind: "webhook", type: `payment.${next.status}` }] : [];
}
