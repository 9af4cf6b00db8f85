import type { AmqpValue } from "./amqp-values.ts";

/** A message as its sender sent it. A queue reads these fields and carries the content unread. */
export interface Message {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly timeToLiveMs: number;
  /** Milliseconds since 1970. A past time means now. */
  readonly scheduledFor: number | undefined;
  readonly content: MessageContent;
}

/** The sender's sections. What a broker must not change stays encoded, so that an int is still an int when .NET reads it. */
export interface MessageContent {
  readonly header: readonly AmqpValue[];
  readonly annotations: ReadonlyMap<string, AmqpValue>;
  readonly properties: Buffer;
  readonly applicationProperties: Buffer;
  /** The body's sections and the footer. */
  readonly body: Buffer;
}

/** Application properties that a receiver or the broker set when the message was settled, in a form that can be written as AMQP. */
export type Properties = ReadonlyMap<string, string | AmqpValue>;

/** A message in a queue. */
export interface Entry {
  readonly message: Message;
  readonly sequenceNumber: number;
  /** The first sequence number of a message that was moved to this queue. */
  readonly enqueuedSequenceNumber: number;
  readonly enqueuedAt: number;
  /** How long the message may stay: the sender's time to live, or the queue's where that is shorter. */
  readonly timeToLiveMs: number;
  readonly expiresAt: number;
  /** The message was scheduled. Azure reports it as scheduled also after its time. */
  readonly wasScheduled: boolean;
  readonly deadLetterSource: string | undefined;
  state: "active" | "deferred" | "scheduled";
  /** Deliveries that ended without success. The first delivery carries 0. */
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

/** A taker of a queue's messages; for the broker, a link. */
export interface Consumer {
  /** The session whose messages it takes, on a queue with sessions. */
  readonly sessionId: string | undefined;
  /** Receive-and-delete: a delivered message needs no settlement. */
  readonly deletesOnReceipt: boolean;
  /** How many messages it takes now. */
  credit(): number;
  deliver(entry: Entry): void;
  /** Called when the lock of its session has expired. */
  sessionLost(): void;
}

/** A receiver's decision about a message that it had locked. */
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
