import type { Report } from "../../domain/payment/report.ts";
import { decideReport } from "../../domain/payment/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Command } from "../../ports/commands.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { TerminalCall } from "../auth/caller.ts";
import { amendPayment, type AmendPaymentDeps } from "../outbox/amend-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { acknowledgeMessage, type AcknowledgeMessageDeps } from "../terminals/acknowledge-message.ts";

export interface RecordReportDeps extends AmendPaymentDeps, AcknowledgeMessageDeps {}

/**
 * Takes what a terminal says happened. A report is remembered by its identifier and changes a payment once; it acknowledges the
 * message that it answers after its commit, and a repeated report does so too.
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
    let answered: Command | undefined;
    const amended = await amendPayment<Refusal<"payment_not_found">, [boolean, Command | undefined]>(deps, call, {
      key,
      readBeside: () =>
        Promise.all([deps.payments.hasReport(key, report.reportId), commandOf(deps, key, report.messageId)]),
      decide(payment, context, [isKnown, command]) {
        if (payment.terminalId !== terminalId) return refuse({ code: "payment_not_found" });
        answered = command;
        return ok(isKnown ? "unchanged" : decideReport(payment, report, context, command?.sequence));
      },
    });
    if (!amended.ok) return amended;
    if (answered) await acknowledgeMessage(deps, answered);
    return ok("recorded");
  });

/** The command whose message a report answers. */
const commandOf = async (
  { commands }: RecordReportDeps,
  key: PaymentKey,
  messageId: string | undefined,
): Promise<Command | undefined> =>
  messageId === undefined ? undefined : commands.find({ kind: "payment", ...key }, messageId);
