import {
  answeredBy,
  acknowledgedBy,
  type Answered,
  type RecordedReport,
} from "../../domain/payment/reports/answered.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import { counting, type Report } from "../../domain/payment/record/report.ts";
import { differing, saidBy, type Said } from "../../domain/payment/record/said.ts";
import { decideReport } from "../../domain/payment/reports/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { TerminalCall } from "../caller.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessages, type AcknowledgeMessageDeps } from "../terminals/acknowledge-message.ts";

export interface RecordReportDeps extends AmendPaymentDeps, AcknowledgeMessageDeps {}

/** `before`: what was recorded under the report's identifier, if that is other content. */
export interface Recorded {
  readonly before: Said | undefined;
}

/** What is read beside the payment. */
interface Beside {
  /** The recorded report, where it was recorded before. */
  readonly known: RecordedReport | undefined;
  /** The messages of the session that the terminal has not answered; undefined where they were not read. */
  readonly open: readonly InboxRow[] | undefined;
}

/** These reports answer the payment's own message and no other. Where they name it, no inbox needs to be read. */
const begins: ReadonlySet<Report["type"]> = new Set(["accepted", "amountLocked"]);

/**
 * Records a terminal's report. It is stored by its identifier and changes a payment once. After the commit the messages that it answers are
 * acknowledged; a repeated report does this too. A report counts whatever message it names. Whether it was recorded before is read only
 * after a failed commit, because the report's row is part of the commit. Other content under a known identifier changes no payment, and is
 * returned for an operator. The message that it answers is done all the same: otherwise the terminal would get it again for ever.
 */
export const recordReport = (
  deps: RecordReportDeps,
  call: TerminalCall,
  sessionId: string,
  sent: Report,
): Promise<Result<Recorded, Refusal<"payment_not_found">>> => {
  let isFirst = true;
  let before: Said | undefined;
  return retryOnConflict(async () => {
    const { terminalId, partnerId } = call.caller.terminal;
    const key = { partnerId, sessionId };
    const readOpen = () => openMessages(deps, terminalId, sessionId);
    const openBeside = async ({ open }: Beside) => open ?? readOpen();
    let acknowledge = async (): Promise<void> => {};
    const amended = await amendPayment<Refusal<"payment_not_found">, Beside>(deps, call, {
      key,
      async readBeside() {
        const isAgain = !isFirst;
        isFirst = false;
        const mayNameRequest = begins.has(sent.type) && sent.messageId !== undefined;
        const [known, open] = await Promise.all([
          isAgain ? deps.payments.findReport(key, sent.reportId) : undefined,
          mayNameRequest ? undefined : readOpen(),
        ]);
        return { known, open };
      },
      async decide(payment, context, beside) {
        if (payment.terminalId !== terminalId) return refuse({ code: "payment_not_found" });
        const { known } = beside;
        const report = counting(payment, sent);
        before = known?.said;
        const isOfRequest = beside.open === undefined && report.messageId === payment.requestedBy;
        const open = isOfRequest ? [] : await openBeside(beside);
        const acknowledging = (after: Payment, recorded: RecordedReport) => async () => {
          if (isOfRequest) await deps.inboxes.discard(terminalId, slotOf(payment));
          else
            await acknowledgeMessages(deps, terminalId, acknowledgedBy(report, { ...recorded, payment: after }, open));
        };
        const answered = await answeredMessage(deps, payment, { report, sent, known, open });
        const messageId = answered?.messageId ?? report.messageId;
        if (known) {
          acknowledge = acknowledging(payment, { ...asRecorded(known, sent, payment), messageId });
          return ok("unchanged");
        }
        const change = decideReport(payment, { ...report, messageId }, context, answered?.sequence);
        acknowledge = acknowledging(change.payment, { messageId, sequence: change.payment.sequence });
        return ok(change);
      },
    });
    if (!amended.ok) return amended;
    await acknowledge();
    return ok({ before: isOther(before, sent) ? before : undefined });
  });
};

/** Whether a report says something else than what was recorded under its identifier. */
const isOther = (before: Said | undefined, sent: Report): boolean =>
  before !== undefined && differing(before, saidBy(sent)).length > 0;

/** A report under a known identifier as it was recorded; if its content is another one, as if it were recorded now. */
const asRecorded = (known: RecordedReport, sent: Report, { sequence }: Payment): RecordedReport =>
  isOther(known.said, sent) ? { sequence: sequence + 1 } : known;

/** The message that a report answers: the same one as the first time, if it is repeated. */
const answeredMessage = async (
  deps: RecordReportDeps,
  payment: Payment,
  {
    report,
    sent,
    known,
    open,
  }: {
    readonly report: Report;
    readonly sent: Report;
    readonly known: RecordedReport | undefined;
    readonly open: readonly InboxRow[];
  },
): Promise<Pick<RecordedReport, "messageId" | "sequence"> | undefined> =>
  known && !isOther(known.said, sent)
    ? known
    : answeredBy(report, await namedMessage(deps, payment, report.messageId, open), open);

/** The message of the payment that a report names: the request's, one without an answer, or one that was answered. */
async function namedMessage(
  { commands }: RecordReportDeps,
  { partnerId, sessionId, requestedBy }: Payment,
  messageId: string | undefined,
  open: readonly InboxRow[],
): Promise<Answered | undefined> {
  if (messageId === undefined) return undefined;
  if (messageId === requestedBy) return { messageId, type: "payment", sequence: 1 };
  const row = open.find((one) => one.messageId === messageId);
  if (row) return { messageId, type: row.message.type, sequence: row.slot.sequence };
  const command = await commands.find({ kind: "payment", partnerId, sessionId }, messageId);
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
