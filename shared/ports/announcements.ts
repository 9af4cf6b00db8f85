import { z } from "zod";
import type { QueueName } from "../domain/effects.ts";
import type { RecordOf } from "../domain/record.ts";
import { uncheckedInstant, type Instant } from "../domain/time.ts";
import { subjectRecord } from "./subjects.ts";

/** "This command may have been committed; see to this effect of it." Sent before the commit, acted on only after it. */
export const announcementBody = z.object({
  v: z.literal(1),
  subject: subjectRecord,
  commandId: z.string(),
  /** `effectId` of the effect. */
  effect: z.string(),
  /** The sequence of the change that commits the command: a payment that has come so far tells for certain what became of it. */
  sequence: z.int().optional(),
  /** The payment has ended with this command: its worker looks at all commands at once. */
  ends: z.literal(true).optional(),
  /** When the first announcement was enqueued; copies carry it on. */
  firstEnqueuedAt: uncheckedInstant.optional(),
  /** How often the command was looked for in vain. */
  lookups: z.int().optional(),
  /** How often carrying it out failed for a while. */
  failures: z.int().optional(),
  /** Deliveries of a webhook, or of a mail, so far. */
  attempt: z.int().optional(),
  /** How often an attempt had to wait for others; it is none itself. */
  postponed: z.int().optional(),
  /** The operator wants a webhook delivered again. */
  replay: z.literal(true).optional(),
  /** W3C trace context of the request that caused it. */
  traceparent: z.string().optional(),
});
export interface Announcement extends RecordOf<typeof announcementBody> {}

export interface Announcements {
  /** At once, or `at` a moment. Throws `Unavailable`; the message may have been taken all the same. */
  send(queue: QueueName, announcement: Announcement, at?: Instant): Promise<void>;
}
