import * as z from "zod";
import type { QueueName } from "./queues.ts";
import type { RecordOf } from "../domain/record.ts";
import { messageVersion } from "./stored-forms.ts";
import { instant, uncheckedInstant, type Instant } from "../domain/time.ts";
import { subjectRecord } from "./subjects.ts";

/**
 * Asks a worker to carry out one effect of a command. It is sent before the commit, and a worker acts on it only after the commit. A look
 * at a partner's day has no command.
 */
export const announcementBody = z.object({
  v: messageVersion,
  subject: subjectRecord,
  commandId: z.string().optional(),
  /** `effectId` of the effect. */
  effect: z.string(),
  /** The sequence of the change that commits the command. Once the payment has reached it, the command was committed or never can be. */
  sequence: z.int().optional(),
  /** Only for a payment's message: when the payment was created. With the sequence it names the message's row. */
  createdAt: uncheckedInstant.optional(),
  /** Only in a look, which acts on what is due by this moment. */
  at: instant.optional(),
  /** When the first announcement was enqueued. Every copy keeps this time. */
  firstEnqueuedAt: uncheckedInstant.optional(),
  /** How often a worker looked for the command and did not find it. */
  lookups: z.int().optional(),
  /** Failed tries to carry the effect out, since its dependencies last responded. */
  failures: z.int().optional(),
  /** Attempts made so far, of a webhook or of a mail. */
  attempt: z.int().optional(),
  /** How often an attempt was postponed because too many were under way. A postponement is not an attempt. */
  postponed: z.int().optional(),
  /** The operator requested another delivery of the webhook. */
  replay: z.literal(true).optional(),
  /** W3C trace context of the request that caused it. */
  traceparent: z.string().optional(),
});
export interface Announcement extends RecordOf<typeof announcementBody> {}

export interface Announcements {
  /** Sends now, or schedules for `at`. If it throws `Unavailable`, the queue may still have taken the message. */
  send(queue: QueueName, announcement: Announcement, at?: Instant): Promise<void>;
}
