import { dueMessages } from "../../../shared/domain/payment/operator/restore.ts";
import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import { holdsTerminal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import { paymentKeyOf, type PaymentKey } from "../../../shared/ports/subjects.ts";
import { isRecent, type LastDay } from "./last-day.ts";
import { partitionOf, type LeftOut } from "./left-out.ts";
import { planSession, type SessionsPlan } from "./restored-sessions.ts";
import { emptyBooks, planBookings, type BooksPlan } from "./restored-bookings.ts";
import type { FeedsPlan } from "./restored-feeds.ts";
import type { ExportedPayment } from "./read-payment.ts";

/** The rows that a terminal's partition must hold after the import, in addition to its exported rows. */
export interface TerminalPlan {
  /** The messages of payments that are due: those to which the payments await an answer. */
  readonly due: InboxEntry[];
  /** The responses to action requests that were filed after the terminal was exported. */
  readonly responses: InboxEntry[];
  /**
   * The payment that holds the terminal. A payment that the terminal has certainly begun goes before a pending one. The latest goes first.
   */
  holder?: { readonly rank: string; readonly payment: Payment };
}

/** An alert that a change of a payment raised. */
export interface RaisedBefore {
  readonly key: PaymentKey;
  readonly command: Omit<Command, "etag">;
}

/** The import's work in addition to writing the exported rows. */
export interface RestorePlan {
  readonly lastDay: LastDay;
  /** The damaged payments that are not imported, by partition. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
  readonly terminals: Map<string, TerminalPlan>;
  /** The partitions of the payments that hold their terminals beside the payment that gets the claim. An export is not a snapshot. */
  readonly unclaimed: Set<string>;
  /** The payments with open money, with their imported sequences. Each is queried first. */
  readonly open: { readonly key: PaymentKey; readonly sequence: number }[];
  readonly raised: RaisedBefore[];
  /** The payments that changed on the export's last day. */
  readonly recent: PaymentKey[];
  readonly sessions: SessionsPlan;
  /** The names of landing pages. */
  readonly pages: string[];
  readonly feeds: FeedsPlan;
  readonly books: BooksPlan;
}

export const emptyPlan = (lastDay: LastDay, leftOut: RestorePlan["leftOut"]): RestorePlan => ({
  lastDay,
  leftOut,
  terminals: new Map(),
  unclaimed: new Set(),
  open: [],
  raised: [],
  recent: [],
  sessions: new Map(),
  pages: [],
  feeds: new Map(),
  books: emptyBooks(lastDay.begunAt),
});

export function planTerminal({ terminals }: RestorePlan, terminalId: string): TerminalPlan {
  const known = terminals.get(terminalId);
  if (known) return known;
  const plan: TerminalPlan = { due: [], responses: [] };
  terminals.set(terminalId, plan);
  return plan;
}

/** Adds a payment in its imported form to the plan. */
export function addPayment(plan: RestorePlan, { payment, history, commands }: ExportedPayment): void {
  const { begunAt } = plan.lastDay;
  const { sequence } = payment;
  const key = paymentKeyOf(payment);
  if (!paymentHasEnded(payment)) plan.open.push({ key, sequence });
  addClaim(plan, payment);
  planBookings(plan.books, history);
  if (isRecent(payment.updatedAt, begunAt)) {
    plan.recent.push(key);
    planSession(plan.sessions, payment);
  }
  const due = new Set(dueMessages(payment));
  for (const command of commands) {
    if (command.effects.some(({ kind }) => kind === "alert")) plan.raised.push({ key, command });
    for (const { terminalId, message } of messagesOf(command))
      if (due.has(message.slot.sequence)) planTerminal(plan, terminalId).due.push(message);
  }
}

/**
 * The messages of a command, as fetched. The terminal may have received them since the export, so the inbox must not suggest that it did
 * not.
 */
const messagesOf = ({ effects, commandId: messageId }: Omit<Command, "etag">) =>
  effects.flatMap((effect) => {
    if (effect.kind !== "message") return [];
    const { terminalId, ...message } = effect.envelope;
    return [{ terminalId, message: { ...message, messageId, state: "fetched" } satisfies InboxEntry }];
  });

/**
 * Gives the claim of its terminal to a payment that holds it, or marks it as unclaimed. The terminals were exported before the payments, so
 * their own claims may be older.
 */
function addClaim(plan: RestorePlan, payment: Payment): void {
  const { status, terminalId, createdAt } = payment;
  if (!holdsTerminal(status)) return;
  const terminal = planTerminal(plan, terminalId);
  const rank = `${status === "pending" ? 0 : 1} ${createdAt}`;
  const other = terminal.holder;
  const isFirst = !other || other.rank <= rank;
  const loser = isFirst ? other?.payment : payment;
  if (isFirst) terminal.holder = { rank, payment };
  if (loser) plan.unclaimed.add(partitionOf(loser));
}

/**
 * Adds the responses to action requests that were filed after their terminal was exported. `sequence` is that of the request. A command of
 * a later change is ignored, because that change is lost.
 */
export function addResponse(
  plan: RestorePlan,
  command: Omit<Command, "etag">,
  { sequence, begunAt }: { readonly sequence: number; readonly begunAt: Instant },
): void {
  if (command.state !== "ready" || command.sequence > sequence || !isRecent(command.at, begunAt)) return;
  if (!command.done.includes("message")) return;
  for (const { terminalId, message } of messagesOf(command)) planTerminal(plan, terminalId).responses.push(message);
}
