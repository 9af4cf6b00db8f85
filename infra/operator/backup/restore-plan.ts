import { dueMessages } from "../../../shared/domain/payment/operator/restore.ts";
import { effectId, type Envelope } from "../../../shared/domain/effects.ts";
import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import { holdsTerminal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import type { Claim } from "../../../shared/domain/terminal.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { PaymentKey, Subject } from "../../../shared/ports/subjects.ts";
import { isCarriedOut } from "../../../shared/use-cases/outbox/leave-open-list.ts";
import { slotRow } from "../../../shared/stores/keys.ts";
import { isRecent, type LastDay } from "./last-day.ts";
import { planLists, type ListsPlan } from "./restored-lists.ts";
import { planBookings, type BookingsPlan } from "./restored-bookings.ts";
import type { FeedsPlan } from "./restored-feeds.ts";
import type { ExportedPayment } from "./read-payment.ts";

/** What a terminal's partition must hold after the import, beside what was exported of it. */
export interface TerminalPlan {
  /** The slots that committed messages have used, or will use no more. */
  readonly slots: Set<string>;
  /** The messages that the books hold as to be done, by the keys of their slots. */
  readonly due: Map<string, InboxEntry>;
  /** The payment that holds the terminal: one that it has begun, before one that it may not have; of these the latest. */
  holder?: { readonly rank: string; readonly claim: Claim };
}

/** An alert that a change of a payment raised. */
export interface RaisedBefore {
  readonly key: PaymentKey;
  readonly command: Omit<Command, "etag">;
}

/** What the import does beside writing the rows as they were exported. */
export interface RestorePlan {
  readonly lastDay: LastDay;
  readonly terminals: Map<string, TerminalPlan>;
  /** The payments with open money, each with its sequence as it is imported: each is queried first. */
  readonly open: { readonly key: PaymentKey; readonly sequence: number }[];
  /** The subjects of which something is left to be carried out. */
  readonly undone: Subject[];
  readonly raised: RaisedBefore[];
  /** The payments that changed on the export's last day. */
  readonly recent: PaymentKey[];
  readonly lists: ListsPlan;
  readonly feeds: FeedsPlan;
  readonly bookings: BookingsPlan;
}

export const emptyPlan = (lastDay: LastDay): RestorePlan => ({
  lastDay,
  terminals: new Map(),
  open: [],
  undone: [],
  raised: [],
  recent: [],
  lists: new Map(),
  feeds: new Map(),
  bookings: new Map(),
});

export function planTerminal({ terminals }: RestorePlan, terminalId: string): TerminalPlan {
  const known = terminals.get(terminalId);
  if (known) return known;
  const plan: TerminalPlan = { slots: new Set(), due: new Map() };
  terminals.set(terminalId, plan);
  return plan;
}

/** Adds a payment, as it is imported, to the plan. */
export function addPayment(plan: RestorePlan, { payment, history, commands }: ExportedPayment): void {
  const { begunAt } = plan.lastDay;
  const { partnerId, sessionId, sequence } = payment;
  const isOpen = !paymentHasEnded(payment);
  if (isOpen) plan.open.push({ key: { partnerId, sessionId }, sequence });
  if (isOpen || !commands.every(isCarriedOut)) plan.undone.push({ kind: "payment", partnerId, sessionId });
  addClaim(plan, payment);
  planBookings(plan.bookings, commands, begunAt);
  if (isRecent(payment.updatedAt, begunAt)) {
    plan.recent.push({ partnerId, sessionId });
    planLists(plan.lists, payment, history);
  }
  const due = new Set(dueMessages(payment));
  for (const command of commands) {
    if (command.effects.some(({ kind }) => kind === "alert"))
      plan.raised.push({ key: { partnerId, sessionId }, command });
    addMessages(plan, command, due, begunAt);
  }
}

function addMessages(
  plan: RestorePlan,
  command: Omit<Command, "etag">,
  due: ReadonlySet<number>,
  begunAt: Instant,
): void {
  for (const [id, envelope] of messagesOf(command)) {
    const isDue = due.has(envelope.slot.sequence);
    const mayBeMissing = isDue || wasRecent(command, begunAt) || !command.done.includes(id);
    if (mayBeMissing) addMessage(plan, envelope, isDue ? command.commandId : undefined);
  }
}

/** The messages of a command, by the effects that carry them. */
const messagesOf = ({ effects }: Omit<Command, "etag">): readonly (readonly [string, Envelope])[] =>
  effects.flatMap((effect) =>
    effect.kind === "message" || effect.kind === "admission" ? [[effectId(effect), effect.envelope] as const] : [],
  );

const wasRecent = ({ at }: Omit<Command, "etag">, begunAt: Instant): boolean =>
  at === undefined || isRecent(at, begunAt);

/**
 * Files a message that is due as fetched: the terminal may have got it since the export, so nothing may conclude from the inbox that it did
 * not.
 */
function addMessage(plan: RestorePlan, { terminalId, ...message }: Envelope, messageId: string | undefined): void {
  const { slots, due } = planTerminal(plan, terminalId);
  const slot = slotRow(message.slot);
  slots.add(slot);
  if (messageId !== undefined) due.set(slot, { ...message, messageId, state: "fetched" });
}

/** The terminals were exported before the payments, so a claim is that of the payment that holds its terminal by now. */
function addClaim(plan: RestorePlan, payment: Payment): void {
  const { status, partnerId, sessionId, terminalId, createdAt, requestedBy } = payment;
  if (!holdsTerminal(status)) return;
  const terminal = planTerminal(plan, terminalId);
  const rank = `${status === "pending" ? 0 : 1} ${createdAt}`;
  if (terminal.holder && terminal.holder.rank > rank) return;
  terminal.holder = { rank, claim: { partnerId, sessionId, commandId: requestedBy } };
}

/**
 * Adds the responses to action requests that were filed after their terminal was exported. `sequence`: that of the request; a command of a
 * later change is lost.
 */
export function addResponse(
  plan: RestorePlan,
  command: Omit<Command, "etag">,
  { sequence, begunAt }: { readonly sequence: number; readonly begunAt: Instant },
): void {
  if (command.state !== "ready" || command.sequence > sequence || !wasRecent(command, begunAt)) return;
  for (const [id, envelope] of messagesOf(command))
    if (command.done.includes(id)) addMessage(plan, envelope, command.commandId);
}
