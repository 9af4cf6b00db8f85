import type { AmqpValue } from "./amqp-values.ts";

/** A message as its sender handed it in. A queue reads these fields and carries the content unread. */
export interface Message {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly timeToLiveMs: number;
  /** Milliseconds since 1970; a time that has passed means now. */
  readonly scheduledFor: number | undefined;
  readonly content: MessageContent;
}

/** The sender's sections. What a broker must not change stays encoded: an int is still an int when .NET reads it. */
export interface MessageContent {
  readonly header: readonly AmqpValue[];
  readonly annotations: ReadonlyMap<string, AmqpValue>;
  readonly properties: Buffer;
  readonly applicationProperties: Buffer;
  /** The body's sections and the footer. */
  readonly body: Buffer;
}

/** Application properties that a receiver or the broker itself set when it settled a message; the wire knows how to write them. */
export type Properties = ReadonlyMap<string, string | AmqpValue>;

/** A message in a queue. */
export interface Entry {
  readonly message: Message;
  readonly sequenceNumber: number;
  /** The first sequence number of a message that was moved here. */
  readonly enqueuedSequenceNumber: number;
  readonly enqueuedAt: number;
  /** How long it may stay: the sender's wish, or the queue's time to live where that is shorter. */
  readonly timeToLiveMs: number;
  readonly expiresAt: number;
  /** It waited for its time: Azure goes on to call it scheduled once it has come. */
  readonly wasScheduled: boolean;
  readonly deadLetterSource: string | undefined;
  state: "active" | "deferred" | "scheduled";
  /** Deliveries that ended without success: the first delivery carries 0. */
  deliveryCount: number;
  properties: Properties;
  lock: Lock | undefined;
}

/** The exclusive right to settle a message, until a time. */
export interface Lock {
  readonly token: string;
  readonly consumer: Consumer | undefined;
  until: number;
}

/** Whoever takes messages from a queue; for the broker, a link. */
export interface Consumer {
  /** The session whose messages it takes, on a queue with sessions. */
  readonly sessionId: string | undefined;
  /** Receive-and-delete: what is handed over needs no settling. */
  readonly deletesOnReceipt: boolean;
  /** How many messages it takes now. */
  credit(): number;
  deliver(entry: Entry): void;
  /** Called when its session's lock has expired. */
  sessionLost(): void;
}

/** What a receiver decided about a message that it had locked. */
export type Outcome =
  | { readonly type: "complete" }
  | { readonly type: "release" }
  | { readonly type: "abandon" | "defer"; readonly properties: Properties }
  | {
      readonly type: "deadLetter";
      readonly reason: string | undefined;
      readonly description: string | undefined;
      readonly properties: Properties;
    };
