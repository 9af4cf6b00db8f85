import {
  answeredBy,
  acknowledgedBy,
  type Answered,
  type RecordedReport,
} from "../../domain/payment/reports/answered.ts";
import { paymentHasEnded } from "../../domain/payment/record/ended.ts";
import { slotOf, type Payment, type Refund } from "../../domain/payment/record/payment.ts";
import { counting, type Report } from "../../domain/payment/record/report.ts";
import { differing, saidBy, type Said } from "../../domain/payment/record/said.ts";
import type { Change } from "../../domain/payment/life/advance.ts";
import { contradictedMessages, withContradictedRefunds } from "../../domain/payment/reports/contradicted.ts";
import { broughtBack } from "../../domain/payment/requests/undelivered-refunds.ts";
import { decideReport } from "../../domain/payment/reports/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { comesFirst } from "../../domain/terminal-inbox.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { paymentSubjectOf, type PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { TerminalCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { findUndelivered } from "./find-undelivered.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { messageOf, openMessages, unfetched } from "../terminals/open-messages.ts";
import type { Taking } from "../../stores/payments.ts";
import type { Needs } from "../needs.ts";

export type RecordReportDeps = AmendPaymentDeps & Needs<"inboxes">;

/** `before`: the earlier report under the same identifier, if its content differs. */
export interface Recorded {
  readonly before: Said | undefined;
}

/** A report, and the terminal's messages that it is about. */
interface Reading {
  /** The report as it counts for the payment, with the message that it answers, if that is known. */
  readonly report: Report;
  /** The report as it was recorded before; undefined if it was not. */
  readonly known: RecordedReport | undefined;
  /** The sequence of the message that it answers, if that is known. */
  readonly answers: number | undefined;
  /**
   * The session's messages that the terminal has not answered. Not read if the report begins the payment and names its own message, which
   * is then removed unread.
   */
  readonly open: readonly InboxRow[] | undefined;
  /** The refund that is reported as made, if it had left the record because the terminal never got it. */
  readonly undelivered: Refund | undefined;
}

/** These reports answer the payment's own message and no other. If they name it, the inbox is not read. */
const begins: ReadonlySet<Report["type"]> = new Set(["accepted", "amountLocked"]);

/**
 * Records a terminal's report. It is stored by its identifier and changes a payment once. A report counts whatever message it names.
 *
 * The change removes the messages that the report answers, and those that it contradicts. Whether it was recorded before is read only after
 * a failed commit, because the report's row is part of the commit.
 *
 * If the identifier is known but the content differs, the payment is not changed. The earlier content is returned for an operator. The
 * message that the report answers is still removed, because otherwise the terminal would get it again forever.
 */
export const recordReport = (
  deps: RecordReportDeps,
  call: TerminalCall,
  sessionId: string,
  sent: Report,
): Promise<Result<Recorded, Refusal<"payment_not_found">>> =>
  retryOnConflict((attempt) => recordAndRemove(deps, call, sessionId, { sent, isAgain: attempt > 1 }));

/** A report to record. `isAgain`: an earlier attempt may have recorded it. */
interface Attempted {
  readonly sent: Report;
  readonly isAgain: boolean;
}

/** Records the report, then removes the messages that its change left. Throws `Conflict` if another writer changed one of those. */
async function recordAndRemove(
  deps: RecordReportDeps,
  call: TerminalCall,
  sessionId: string,
  { sent, isAgain }: Attempted,
): Promise<Result<Recorded, Refusal<"payment_not_found">>> {
  const { partnerId, terminalId } = call.caller.terminal;
  const key = { partnerId, terminalId, sessionId };
  const amended = await amendPayment<Refusal<"payment_not_found">, Reading | undefined>(deps, call, {
    key,
    read: (payment, attempt) => readAbout(deps, key, payment, { sent, isAgain: isAgain || attempt > 1 }),
    decide(payment, context, { read: reading }) {
      if (!reading) return refuse({ code: "payment_not_found" });
      if (reading.known) return ok("unchanged");
      const before = broughtBack(payment, reading.undelivered);
      const change = decideReport(before, reading.report, context, reading.answers);
      return ok(withMessages(before, change, reading));
    },
  });
  if (!amended.ok) return refuse({ code: "payment_not_found" }); // an unreadable payment cannot take it either
  const { payment, read: reading } = amended.value;
  if (reading) await deps.inboxes.remove(terminalId, leftBehind(payment, sent, reading));
  const before = reading?.known?.said;
  return ok({ before: isOther(before, sent) ? before : undefined });
}

/** The most messages that one change removes because its report answers or contradicts them. A group has a hundred rows at most. */
const MOST_ANSWERED = 20;
const MOST_CONTRADICTED = 30;

/**
 * The change with the messages that it removes. A contradicted refund has failed if its message leaves before the terminal has fetched it.
 * An alert names any other, so that an operator is called before a message moves money by an older report.
 */
function withMessages(before: Payment, change: Change, { report, answers, open }: Reading): Change & Taking {
  if (!open) return { ...change, discarded: slotOf(before) };
  const contradicted = contradictedMessages(before, change, answers)
    .flatMap(
      ({ sequence, act }) => (act === "takeOut" ? messageOf(open, sequence) : unfetched(before, open, sequence)) ?? [],
    )
    .slice(0, MOST_CONTRADICTED);
  const next = withContradictedRefunds(before, change, new Set(contradicted.map(({ slot }) => slot.sequence)));
  const { payment } = next;
  const answered = acknowledgedBy(report, { sequence: payment.sequence, messageId: report.messageId, payment }, open);
  const over = [...answered, ...pointless(payment, open)].slice(0, MOST_ANSWERED);
  return { ...next, removed: [...new Set([...contradicted, ...over])] };
}

/** The messages of a payment that has ended before their worker released them. */
const pointless = (payment: Payment, open: readonly InboxRow[]): readonly InboxRow[] =>
  paymentHasEnded(payment) ? open.filter((message) => message.isHeld && !comesFirst(message)) : [];

/** The messages that a recorded report answers and its change did not remove: beyond the most, or because the report is a repeated one. */
function leftBehind(payment: Payment, sent: Report, { report, known, open = [] }: Reading): readonly InboxRow[] {
  const { messageId } = report;
  if (!known)
    return acknowledgedBy(report, { sequence: payment.sequence, messageId, payment }, open).slice(MOST_ANSWERED);
  // Other content under a known identifier counts as if it were recorded now.
  const isRepeated = !isOther(known.said, sent);
  const sequence = isRepeated ? known.sequence : payment.sequence + 1;
  return acknowledgedBy(report, { sequence, messageId, payment, isRepeated }, open);
}

/**
 * Reads the messages that a report is about, and the recorded report if there may be one. Undefined if the payment is not on this terminal.
 */
async function readAbout(
  deps: RecordReportDeps,
  key: PaymentKey,
  finding: () => Promise<Payment | undefined>,
  { sent, isAgain }: Attempted,
): Promise<Reading | undefined> {
  const [payment, known] = await Promise.all([
    finding(),
    isAgain ? deps.payments.findReport(key, sent.reportId) : undefined,
  ]);
  if (!payment) return undefined;
  const report = counting(payment, sent);
  // After the payment, so that no message of it is missed.
  const open = !isAgain && beginsWithOwnMessage(payment, report) ? undefined : await openMessages(deps, key);
  const { messageId, sequence } = await answeredMessage(deps, payment, { report, sent, known, open: open ?? [] });
  const undelivered = await findUndelivered(deps, payment, madeBy(report));
  return { report: { ...report, messageId }, known, answers: sequence, open, undelivered };
}

/** Whether the report begins the payment and names its message, which is then still in the inbox. */
const beginsWithOwnMessage = ({ status, requestedBy }: Payment, { type, messageId }: Report): boolean =>
  begins.has(type) && status === "pending" && messageId === requestedBy;

/** The refund that a report names as made. */
const madeBy = ({ type, refundId }: Report): readonly string[] =>
  type === "refunded" && refundId !== undefined ? [refundId] : [];

/** Whether a report's content differs from the content recorded under its identifier. */
const isOther = (before: Said | undefined, sent: Report): boolean =>
  before !== undefined && differing(before, saidBy(sent)).length > 0;

/** The message that a report answers, and its sequence if that is known. A repeated report answers the same message as the first time. */
async function answeredMessage(
  deps: RecordReportDeps,
  payment: Payment,
  about: Pick<Reading, "report" | "known"> & { readonly sent: Report; readonly open: readonly InboxRow[] },
): Promise<Partial<Pick<RecordedReport, "messageId" | "sequence">>> {
  const { report, sent, known, open } = about;
  if (known && !isOther(known.said, sent)) return { messageId: report.messageId, ...known };
  const named = await namedMessage(deps, payment, report.messageId, open);
  return { messageId: report.messageId, ...answeredBy(report, named, open) };
}

/** The payment's message that a report names: that of its request, an unanswered message, or an answered one. */
async function namedMessage(
  { commands }: RecordReportDeps,
  payment: Payment,
  messageId: string | undefined,
  open: readonly InboxRow[],
): Promise<Answered | undefined> {
  if (messageId === undefined) return undefined;
  if (messageId === payment.requestedBy) return { messageId, type: "payment", sequence: 1 };
  const row = open.find((one) => one.messageId === messageId);
  if (row) return { messageId, type: row.message.type, sequence: row.slot.sequence };
  const command = await commands.find(paymentSubjectOf(payment), messageId);
  const sent = command?.effects.find((effect) => effect.kind === "message");
  return (
    command && sent && { messageId: command.commandId, type: sent.envelope.message.type, sequence: command.sequence }
  );
}
