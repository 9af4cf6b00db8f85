import {
  answeredBy,
  acknowledgedBy,
  type Answered,
  type RecordedReport,
} from "../../domain/payment/reports/answered.ts";
import { slotOf, type Payment, type Refund } from "../../domain/payment/record/payment.ts";
import { counting, type Report } from "../../domain/payment/record/report.ts";
import { differing, saidBy, type Said } from "../../domain/payment/record/said.ts";
import {
  contradictedMessages,
  withContradictedRefunds,
  type ContradictedMessage,
} from "../../domain/payment/reports/contradicted.ts";
import { broughtBack } from "../../domain/payment/requests/undelivered-refunds.ts";
import { decideReport } from "../../domain/payment/reports/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { Conflict } from "../../ports/failures.ts";
import { paymentSubjectOf, type PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { TerminalCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { findUndelivered } from "./find-undelivered.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessages, type AcknowledgeMessageDeps } from "../terminals/acknowledge-message.ts";
import { takeOutMessage, withdrawMessage } from "../terminals/withdraw-message.ts";

export interface RecordReportDeps extends AmendPaymentDeps, AcknowledgeMessageDeps {}

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
   * The session's messages that the terminal has not answered. Not read if the report names the payment's own message and answers no other.
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
 * After the commit the messages that it answers are acknowledged. A repeated report does this too. Whether it was recorded before is read
 * only after a failed commit, because the report's row is part of the commit.
 *
 * If the identifier is known but the content differs, the payment is not changed. The earlier content is returned for an operator. The
 * message that the report answers is still acknowledged, because otherwise the terminal would get it again forever.
 */
export const recordReport = (
  deps: RecordReportDeps,
  call: TerminalCall,
  sessionId: string,
  sent: Report,
): Promise<Result<Recorded, Refusal<"payment_not_found">>> => {
  let isFirst = true;
  return retryOnConflict(async () => {
    const { partnerId, terminalId } = call.caller.terminal;
    const key = { partnerId, terminalId, sessionId };
    const amended = await amendPayment<
      Refusal<"payment_not_found">,
      Reading | undefined,
      readonly ContradictedMessage[],
      ReadonlySet<number>
    >(deps, call, {
      key,
      read(payment) {
        const isAgain = !isFirst;
        isFirst = false;
        return readAbout(deps, key, { terminalId, sent, isAgain, payment });
      },
      plan(payment, context, reading) {
        if (!reading) return refuse({ code: "payment_not_found" });
        if (reading.known) return ok(undefined);
        const before = broughtBack(payment, reading.undelivered);
        const change = decideReport(before, reading.report, context, reading.answers);
        const messages = contradictedMessages(before, change, reading.answers);
        return ok(messages.length > 0 ? messages : undefined);
      },
      async fence(payment, messages) {
        // The report may be a repeated one, which contradicts nothing.
        if (await deps.payments.findReport(key, sent.reportId)) throw new Conflict();
        return takeOutContradicted(deps, payment, messages);
      },
      decide(payment, context, { read: reading, fenced: withdrawn }) {
        if (!reading || reading.known) return ok("unchanged");
        const before = broughtBack(payment, reading.undelivered);
        const change = decideReport(before, reading.report, context, reading.answers);
        return ok(withdrawn ? withContradictedRefunds(before, change, withdrawn) : change);
      },
    });
    if (!amended.ok) return refuse({ code: "payment_not_found" }); // an unreadable payment cannot take it either
    const { payment, read: reading } = amended.value;
    if (reading) await acknowledge(deps, payment, sent, reading);
    const before = reading?.known?.said;
    return ok({ before: isOther(before, sent) ? before : undefined });
  });
};

/**
 * Reads the messages that a report is about, and the recorded report if there may be one. Undefined if the payment is not on this terminal.
 */
async function readAbout(
  deps: RecordReportDeps,
  key: PaymentKey,
  about: {
    readonly terminalId: string;
    readonly sent: Report;
    readonly isAgain: boolean;
    readonly payment: () => Promise<Payment | undefined>;
  },
): Promise<Reading | undefined> {
  const { terminalId, sent, isAgain } = about;
  const mayNameRequest = begins.has(sent.type) && sent.messageId !== undefined;
  const [payment, known, read] = await Promise.all([
    about.payment(),
    isAgain ? deps.payments.findReport(key, sent.reportId) : undefined,
    mayNameRequest ? undefined : openMessages(deps, terminalId, key.sessionId),
  ]);
  if (!payment) return undefined;
  const report = counting(payment, sent);
  const isOfRequest = mayNameRequest && report.messageId === payment.requestedBy;
  const open = isOfRequest ? undefined : (read ?? (await openMessages(deps, terminalId, key.sessionId)));
  const { messageId, sequence } = await answeredMessage(deps, payment, { report, sent, known, open: open ?? [] });
  const undelivered = await findUndelivered(deps, payment, madeBy(report));
  return { report: { ...report, messageId }, known, answers: sequence, open, undelivered };
}

/** The refund that a report names as made. */
const madeBy = ({ type, refundId }: Report): readonly string[] =>
  type === "refunded" && refundId !== undefined ? [refundId] : [];

/** Takes the messages out of the inbox. Returns the sequences of those that the terminal never gets. Throws `Conflict`. */
async function takeOutContradicted(
  { inboxes }: RecordReportDeps,
  payment: Payment,
  messages: readonly ContradictedMessage[],
): Promise<ReadonlySet<number>> {
  const withdrawn = new Set<number>();
  for (const { sequence, act } of messages) {
    const slot = slotOf(payment, sequence);
    if (act === "takeOut") await takeOutMessage(inboxes, payment.terminalId, slot);
    else if (await withdrawMessage(inboxes, payment.terminalId, slot)) withdrawn.add(sequence);
  }
  return withdrawn;
}

/** Acknowledges the messages that a report answers, now that it is recorded. */
async function acknowledge(
  deps: RecordReportDeps,
  payment: Payment,
  sent: Report,
  { report, known, open }: Reading,
): Promise<void> {
  if (!open) return deps.inboxes.discard(payment.terminalId, slotOf(payment));
  // Other content under a known identifier counts as if it were recorded now.
  const isRepeated = known !== undefined && !isOther(known.said, sent);
  const sequence = isRepeated ? known.sequence : payment.sequence + (known ? 1 : 0);
  const answered = { sequence, messageId: report.messageId, payment, isRepeated };
  await acknowledgeMessages(deps, payment.terminalId, acknowledgedBy(report, answered, open));
}

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
  const sent = command?.effects.find((effect) => effect.kind === "admission" || effect.kind === "message");
  return (
    command && sent && { messageId: command.commandId, type: sent.envelope.message.type, sequence: command.sequence }
  );
}

/** The messages of a session that the terminal has not answered. */
const openMessages = async (
  { inboxes }: RecordReportDeps,
  terminalId: string,
  sessionId: string,
): Promise<readonly InboxRow[]> =>
  (await inboxes.unanswered(terminalId)).filter(({ slot }) => slot.sessionId === sessionId);
