import * as z from "zod";
import { alertRecord } from "../domain/alert.ts";
import { orphanReportRecord } from "../domain/orphan-report.ts";
import type { RecordOf } from "../domain/record.ts";
import { messageVersion } from "./stored-forms.ts";
import { instant, type Instant } from "../domain/time.ts";

/**
 * An alert without a command, on the queue of operators' alerts. It may arrive more than once, and counts once for its `cause`. The host
 * merges the body's members with its own metadata of the message, so no member may have the name of a metadata field.
 */
export const bareAlertBody = z.object({
  v: messageVersion,
  raised: z.object({
    ...alertRecord.pick({ subject: true, kind: true, about: true, detail: true }).shape,
    cause: z.string(),
    at: instant,
    report: orphanReportRecord.optional(),
  }),
  /** Failed tries to store the alert. */
  failures: z.int().optional(),
  /** W3C trace context of the call that raised it. */
  traceparent: z.string().optional(),
});
export interface BareAlert extends RecordOf<typeof bareAlertBody> {}

export interface BareAlerts {
  /** Sends now, or schedules for `at`. If it throws `Unavailable`, the queue may still have taken the message. */
  send(alert: BareAlert, at?: Instant): Promise<void>;
}
