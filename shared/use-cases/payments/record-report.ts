import { decideReport, type Report } from "../../domain/payment/reports.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Terminal } from "../../domain/terminal.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Command } from "../../ports/commands.ts";
import type { Inboxes } from "../../ports/terminals.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";

export interface RecordReportDeps extends CommitPaymentDeps {
  readonly inboxes: Inboxes;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

/**
 * Takes what a terminal says happened. A report is remembered by its identifier and changes a payment once; it settles the
 * message that it answers after its commit, and a repeated report settles it too.
 */
export async function recordReport(
  deps: RecordReportDeps,
  terminal: Terminal,
  sessionId: string,
  report: Report,
  traceparent?: string,
): Promise<Result<"recorded", Refusal>> {
  const key = { partnerId: terminal.partnerId, sessionId };
  return retryOnConflict(async () => {
    const [stored, known, command] = await Promise.all([
      deps.payments.find(key),
      deps.payments.hasReport(key, report.reportId),
      report.messageId === undefined ? undefined : deps.commands.find({ kind: "payment", ...key }, report.messageId),
    ]);
    if (!stored || stored.payment.terminalId !== terminal.terminalId) {
      return refuse({ code: "payment_not_found" });
    }
    if (!known) {
      const commandId = deps.newId();
      const context = { now: deps.clock.now(), commandId, timings: deps.timings };
      const change = decideReport(stored.payment, report, context, command?.sequence);
      const { reportId } = report;
      await commitPayment(deps, { change, etag: stored.etag, commandId, reportId, traceparent });
    }
    if (command) await settleMessage(deps, command);
    return ok("recorded");
  });
}

/** The message needs no second handing out. Its guard stays, so that nothing files it again. Throws `Conflict`. */
export async function settleMessage(
  { inboxes }: Pick<RecordReportDeps, "inboxes">,
  { effects }: Command,
): Promise<void> {
  const filed = effects.find((effect) => effect.kind === "admission" || effect.kind === "message");
  if (!filed) return;
  const { terminalId, place } = filed.mailing;
  const filing = await inboxes.find(terminalId, place);
  if (filing?.row) await inboxes.remove(terminalId, filing.row);
}
