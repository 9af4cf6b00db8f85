import { createHash } from "node:crypto";
import { isAboutMoney, reportedMembers } from "../../domain/orphan-report.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { newestVersion } from "../../domain/stored-forms.ts";
import { dayOf } from "../../domain/time.ts";
import type { BareAlerts } from "../../ports/bare-alerts.ts";
import type { TerminalCall } from "../auth/caller.ts";

export interface KeepOrphanReportDeps {
  readonly bareAlerts: BareAlerts;
}

/**
 * Keeps a refused report about money, and calls an operator; any other report is ignored. The report goes through a queue, so that no
 * outage of the tables loses it. A repeated report is recognised by its content, and counted once. Throws `Unavailable` where the queue
 * does not take it; the terminal then has to report again.
 *
 * @param sent the report's body as it was received
 */
export async function keepOrphanReport(
  { bareAlerts }: KeepOrphanReportDeps,
  { caller, now, traceparent }: TerminalCall,
  sent: unknown,
  refusal: Refusal<"validation_failed" | "payment_not_found">,
): Promise<void> {
  if (!isAboutMoney(sent)) return;
  const { partnerId, terminalId } = caller.terminal;
  const reported = reportedMembers(sent);
  const cause = createHash("sha256").update(JSON.stringify(reported)).digest("hex");
  const at = now();
  const wrong = "errors" in refusal ? refusal.errors.slice(0, MAX_WRONG).map(({ field }) => field.slice(0, 64)) : [];
  await bareAlerts.send({
    v: newestVersion,
    raised: {
      subject: { kind: "terminal", partnerId, terminalId, day: dayOf(at) },
      kind: "orphanReport",
      detail: [refusal.code, ...wrong].join(" "),
      cause,
      at,
      report: { cause, at, refusedAs: refusal.code, wrong, reported },
    },
    traceparent,
  });
}

const MAX_WRONG = 10;
