import type { QueueName } from "../domain/effects.ts";
import type { Instant } from "../domain/time.ts";

/** A message that this version of the app does not read: what it is made of, and nothing of what it says. */
export interface RawMessage {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** Messages that are sent on as they came. */
export interface RawMessages {
  /** Throws `Unavailable`; the message may have been taken all the same. */
  send(queue: QueueName, message: RawMessage, at: Instant): Promise<void>;
}
