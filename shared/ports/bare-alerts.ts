import { z } from "zod";
import { alertRecord } from "../domain/alert.ts";
import { orphanReportRecord } from "../domain/orphan-report.ts";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Instant } from "../domain/time.ts";

/**
 * An alert that no command carries, on the queue of operators' alerts. It may arrive more than once, and counts once for its `cause`.
 * The host spreads the body's members over what it knows of the message: none may be named like one of those.
 */
export const bareAlertBody = z.object({
  v: z.literal(1),
  raised: z.object({
    ...alertRecord.pick({ subject: true, kind: true, about: true, detail: true }).shape,
    cause: z.string(),
    at: instant,
    report: orphanReportRecord.optional(),
  }),
  /** How often keeping it failed for a while. */
  failures: z.int().optional(),
  /** W3C trace context of what raised it. */
  traceparent: z.string().optional(),
});
export interface BareAlert extends RecordOf<typeof bareAlertBody> {}

export interface BareAlerts {
  /** At once, or `at` a moment. Throws `Unavailable`; the message may have been taken all the same. */
  send(alert: BareAlert, at?: Instant): Promise<void>;
}
