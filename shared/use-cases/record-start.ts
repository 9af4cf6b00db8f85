import { advance } from "../domain/advance.ts";
import { mailing } from "../domain/payment.ts";
import type { TerminalView } from "../ports/terminals.ts";
import { commitChange } from "./commit-change.ts";
import { again } from "./protocol/again.ts";
import type { RecordReport } from "./record-report.ts";

/**
 * A terminal has started anew. If it holds a payment, it is asked at once how that stands, instead of waiting for a deadline:
 * what it lists as known need not be how it ended. The same start told twice asks once.
 */
export async function recordStart(deps: RecordReport, { claim }: TerminalView, reportId: string): Promise<void> {
  if (!claim) return;
  await again(async () => {
    const [stored, known] = await Promise.all([deps.payments.find(claim), deps.payments.hasReport(claim, reportId)]);
    if (!stored || stored === "fence" || known) return;
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
    if (change) await commitChange(deps, { change, etag, commandId, reportId });
  });
}
