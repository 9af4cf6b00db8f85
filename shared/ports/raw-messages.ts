import type { QueueName } from "./queues.ts";
import type { Instant } from "../domain/time.ts";

/** A message that this version of the app cannot read: its bytes and properties, without an interpretation. */
export interface RawMessage {
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** Sends messages on exactly as they were received. */
export interface RawMessages {
  /** Schedules the message for `at`. If it throws `Unavailable`, the queue may still have taken the message. */
  send(queue: QueueName, message: RawMessage, at: Instant): Promise<void>;
}
