import { advance } from "../../domain/payment/advance.ts";
import { mailing } from "../../domain/payment/payment.ts";
import type { TerminalView } from "../../ports/terminals.ts";
import { commitPayment } from "../outbox/commit-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { RecordReportDeps } from "./record-report.ts";

/**
 * A terminal has started anew. If it holds a payment, it is asked at once how that stands, instead of waiting for a deadline:
 * what it lists as known need not be how it ended. The same start told twice asks once.
 */
export async function requeryAfterRestart(
  deps: RecordReportDeps,
  { claim }: TerminalView,
  reportId: string,
): Promise<void> {
  if (!claim) return;
  await retryOnConflict(async () => {
    const [stored, known] = await Promise.all([deps.payments.find(claim), deps.payments.hasReport(claim, reportId)]);
    if (!stored || known) return;
    const { payment, etag } = stored;
    const commandId = deps.newId();
    const query = mailing({ ...payment, sequence: payment.sequence + 1 }, { type: "statusQuery" });
    const change = advance(payment, {
      event: "started",
      by: "terminal",
      now: deps.clock.now(),
      commandId,
      timings: deps.timings,
      reportId,
      effects: [{ kind: "message", mailing: query }],
    });
    if (change) await commitPayment(deps, { change, etag, commandId, reportId });
  });
}
