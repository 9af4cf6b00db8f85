import { answeredBy, settledBy, type Answered, type RecordedReport } from "../../domain/payment/answered.ts";
import type { Report } from "../../domain/payment/report.ts";
import { decideReport } from "../../domain/payment/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../ports/terminals.ts";
import type { TerminalCall } from "../auth/caller.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessages, type AcknowledgeMessageDeps } from "../terminals/acknowledge-message.ts";

export interface RecordReportDeps extends AmendPaymentDeps, AcknowledgeMessageDeps {}

/** What is read beside the payment: the report where it was recorded before, the message that it names, and those that are open. */
type Beside = readonly [RecordedReport | undefined, Answered | undefined, readonly InboxRow[]];

/**
 * Takes what a terminal says happened. A report is remembered by its identifier and changes a payment once; it settles the messages
 * that it answers after its commit, and a repeated report does so too. It counts whatever message it names.
 */
export const recordReport = (
  deps: RecordReportDeps,
  call: TerminalCall,
  sessionId: string,
  report: Report,
): Promise<Result<"recorded", Refusal<"payment_not_found">>> =>
  retryOnConflict(async () => {
    const { terminalId, partnerId } = call.caller.terminal;
    const key = { partnerId, sessionId };
    let settled: readonly InboxRow[] = [];
    const amended = await amendPayment<Refusal<"payment_not_found">, Beside>(deps, call, {
      key,
      readBeside: () =>
        Promise.all([
          deps.payments.findReport(key, report.reportId),
          namedMessage(deps, key, report.messageId),
          openMessages(deps, terminalId, sessionId),
        ]),
      decide(payment, context, [known, named, open]) {
        if (payment.terminalId !== terminalId) return refuse({ code: "payment_not_found" });
        if (known) {
          settled = settledBy(report, { messageId: report.messageId, ...known }, open);
          return ok("unchanged");
        }
        const answered = answeredBy(report, named, open);
        const messageId = answered?.messageId ?? report.messageId;
        const change = decideReport(payment, { ...report, messageId }, context, answered?.sequence);
        settled = settledBy(report, { messageId, sequence: change.payment.sequence }, open);
        return ok(change);
      },
    });
    if (!amended.ok) return amended;
    await acknowledgeMessages(deps, terminalId, settled);
    return ok("recorded");
  });

/** The message that a report names, where it was sent for this payment. */
async function namedMessage(
  { commands }: RecordReportDeps,
  key: PaymentKey,
  messageId: string | undefined,
): Promise<Answered | undefined> {
  const command = messageId === undefined ? undefined : await commands.find({ kind: "payment", ...key }, messageId);
  const sent = command?.effects.find((effect) => effect.kind === "admission" || effect.kind === "message");
  return (
    command && sent && { messageId: command.commandId, type: sent.mailing.message.type, sequence: command.sequence }
  );
}

/** What the terminal has not answered of a session. */
const openMessages = async (
  { inboxes }: RecordReportDeps,
  terminalId: string,
  sessionId: string,
): Promise<readonly InboxRow[]> =>
  (await inboxes.open(terminalId)).filter(({ place }) => place.sessionId === sessionId);
