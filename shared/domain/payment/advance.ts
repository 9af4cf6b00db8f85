import { z } from "zod";
import type { Effect } from "../effects.ts";
import {
  holdsOrder,
  holdsTerminal,
  paymentStates,
  statusReasons,
  type Payment,
  type PaymentState,
  type StatusReason,
} from "./payment.ts";
import type { RecordOf } from "../record.ts";
import type { TerminalMessage } from "../terminal-message.ts";
import { after, instant, later, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { paymentEvents, ruleFor, type PaymentEvent } from "./transitions.ts";
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
  detail: z.string().optional(),
  /** The event is stale or contradictory, and changed nothing. */
  recordedOnly: z.boolean().optional(),
  /** Somebody at the operator has to look at this. */
  alert: z.boolean().optional(),
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
  readonly reportId?: string;
  /** Effects beside those that follow from the state entered. */
  readonly effects?: readonly Effect<"payment">[];
}

/** Takes one transition of the table, or returns undefined where the table has none for this state and event. */
export function advance(payment: Payment, step: Step): Change | undefined {
  const rule = ruleFor(payment, step.event);
  if (!rule) return undefined;
  const entering = rule.to !== payment.status || step.event === "cancel" || step.event === "outcomeOverdue";
  const sequence = payment.sequence + 1;
  const reason = step.reason ?? rule.reason ?? (rule.to === "voided" ? payment.statusReason : undefined);
  const awaits = entering && step.event !== "outcomeOverdue" && awaiting.has(rule.to);
  const next: Payment = {
    ...payment,
    ...step.set,
    status: rule.to,
    statusReason: rule.to === payment.status && !entering ? payment.statusReason : reason,
    statusDetail: entering ? step.detail : payment.statusDetail,
    asked: payment.asked ?? askedBy(step.event),
    awaiting: awaits ? { commandId: step.commandId, sequence } : payment.awaiting,
    captureBefore: captureBefore(payment, rule.to, step),
    amounts: tookMoney(payment, rule.to, step.set?.amounts ?? payment.amounts),
    discounts: closedDiscounts(step.set?.discounts ?? payment.discounts, rule.to, step.now),
    sequence,
    updatedAt: step.now,
  };
  return {
    payment: next,
    entry: entry(payment, next, step, { reason }),
    effects: [
      ...(entering ? onEntering(payment, next, step) : []),
      ...(step.effects ?? []),
      ...releases(payment, next),
      ...decidedVouchers(payment, next).map((voucher): Effect<"payment"> => ({ kind: "settlement", ...voucher })),
      ...webhooks(payment, next, step),
      ...(step.event.startsWith("discount") ? [] : settledDiscounts(payment, next, step)),
    ],
  };
}

/** Notes a report that is no transition: the history tells it, the payment's state stays. */
export function record(payment: Payment, step: Step & { readonly alert?: boolean }): Change {
  const next = { ...payment, ...step.set, sequence: payment.sequence + 1, updatedAt: step.now };
  return {
    payment: next,
    entry: entry(payment, next, step, { recordedOnly: true, alert: step.alert || undefined }),
    effects: [...(step.effects ?? [])],
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
    detail: step.detail,
    ...more,
  };
}

const awaiting: ReadonlySet<PaymentState> = new Set(["cancelRequested", "captureRequested", "voidRequested"]);

const askedBy = (event: PaymentEvent): "partner" | "platform" | undefined =>
  event === "cancel" ? "partner" : event === "expiryOverdue" ? "platform" : undefined;

function captureBefore(payment: Payment, to: PaymentState, { now, timings }: Step): Instant | undefined {
  return to === "authorized" ? (payment.captureBefore ?? after(now, timings.captureSeconds)) : payment.captureBefore;
}

/** What a state asks for when it is entered. The void that failed is tried again after a while, not at once and for ever. */
function onEntering(before: Payment, next: Payment, { event, now, timings }: Step): Effect<"payment">[] {
  const message = (m: TerminalMessage): Effect<"payment"> => ({ kind: "message", message: m });
  const { currency, amounts } = next;
  switch (next.status) {
    case "inProgress":
      return [{ kind: "deadline", deadline: "expiry", due: next.expiresAt }];
    case "cancelRequested":
      return [
        message({ type: "cancel" }),
        { kind: "deadline", deadline: "answer", due: after(now, timings.answerSeconds) },
      ];
    case "reconciling":
      return [message({ type: event === "cancel" ? "cancel" : "statusQuery" })];
    case "authorized": {
      const due = later(next.captureBefore ?? now, before.captureBefore ? after(now, timings.retryVoidSeconds) : now);
      return [{ kind: "deadline", deadline: "capture", due }];
    }
    case "captureRequested":
    case "voidRequested": {
      if (event === "outcomeOverdue") return [message({ type: "statusQuery" })];
      const type = next.status === "captureRequested" ? "capture" : "void";
      const amount = type === "capture" ? (next.captureAmount ?? amounts.authorized) : amounts.authorized;
      return [
        message({ type, amount, currency }),
        { kind: "deadline", deadline: "outcome", due: after(now, timings.outcomeSeconds) },
      ];
    }
    case "pending":
    case "captured":
    case "voided":
    case "cancelled":
    case "declined":
    case "expired":
    case "failed":
      return [];
  }
}

/** The terminal or the order is no longer held: somebody must give it back. */
function releases(before: Payment, next: Payment): Effect<"payment">[] {
  const terminal = holdsTerminal(before.status) && !holdsTerminal(next.status);
  const order = holdsOrder(before) && !holdsOrder(next);
  return terminal || order ? [{ kind: "release" }] : [];
}

/** A void that failed leaves what an automatic approval had taken. */
const tookMoney = (before: Payment, to: PaymentState, amounts: Payment["amounts"]): Payment["amounts"] =>
  before.status === "voidRequested" && to === "captured" ? { ...amounts, captured: amounts.authorized } : amounts;

/** Once the terminal is let go, a discount that it never answered for was not applied. */
const closedDiscounts = (discounts: Payment["discounts"], to: PaymentState, now: Instant): Payment["discounts"] =>
  holdsTerminal(to)
    ? discounts
    : discounts.map((d) => (d.status === "requested" ? { ...d, status: "refused", updatedAt: now } : d));

/** The discounts that this step settled along with the payment, told one by one. */
function settledDiscounts(before: Payment, next: Payment, { by }: Step): Effect<"payment">[] {
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
