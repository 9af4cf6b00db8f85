import type { Instant } from "../domain/time.ts";
import type { Subject } from "./subjects.ts";

/** The queues, by the work they carry; declared in `infra/service-bus/queues.json`. */
export type QueueName = "terminal-messages" | "webhook-deliveries" | "deadlines" | "access-tokens";

/** "This command may have been committed; see to this effect of it." Sent before the commit, acted on only after it. */
export interface Announcement {
  readonly v: 1;
  readonly subject: Subject;
  readonly commandId: string;
  /** `effectId` of the effect. */
  readonly effect: string;
  /** When the first announcement was enqueued; copies carry it on. */
  readonly first?: Instant | undefined;
  /** How often the command was looked for in vain. */
  readonly looks?: number | undefined;
  /** How often carrying it out failed for a while. */
  readonly tries?: number | undefined;
  /** Deliveries of a webhook, or of a mail, so far. */
  readonly attempt?: number | undefined;
  /** The operator wants a webhook told again, though it was. */
  readonly replay?: true | undefined;
  /** W3C trace context of the request that caused it. */
  readonly traceparent?: string | undefined;
}

export interface Announcements {
  /** At once, or `at` a moment. Throws `Unavailable`; the message may have been taken all the same. */
  send(queue: QueueName, announcement: Announcement, at?: Instant): Promise<void>;
}
