import type { AmqpValue } from "./amqp-values.ts";

/** A message as its sender sent it. A queue reads these fields, but not the content. */
export interface Message {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly timeToLiveMs: number;
  /** Milliseconds since 1970. A past time means now. */
  readonly scheduledFor: number | undefined;
  readonly content: MessageContent;
}

/** The sender's sections. The parts that a broker must not change stay encoded, so that an int is still an int when .NET reads it. */
export interface MessageContent {
  readonly header: readonly AmqpValue[];
  readonly annotations: ReadonlyMap<string, AmqpValue>;
  readonly properties: Buffer;
  readonly applicationProperties: Buffer;
  /** The body's sections and the footer. */
  readonly body: Buffer;
}

/** Application properties that a receiver or the broker set when the message was settled. They can be written as AMQP. */
export type Properties = ReadonlyMap<string, string | AmqpValue>;

/** A message in a queue. */
export interface Entry {
  readonly message: Message;
  readonly sequenceNumber: number;
  /** The first sequence number, if the message was moved to this queue. Otherwise the same as `sequenceNumber`. */
  readonly enqueuedSequenceNumber: number;
  readonly enqueuedAt: number;
  /** How long the message may stay: the sender's time to live or the queue's, whichever is shorter. */
  readonly timeToLiveMs: number;
  readonly expiresAt: number;
  /** Whether the message was scheduled. Azure reports it as scheduled even after its time. */
  readonly wasScheduled: boolean;
  readonly deadLetterSource: string | undefined;
  state: "active" | "deferred" | "scheduled";
  /** Failed deliveries. The first delivery has the count 0. */
  deliveryCount: number;
  properties: Properties;
  lock: Lock | undefined;
}

/** The exclusive right to settle a message until a given time. */
export interface Lock {
  readonly token: string;
  readonly consumer: Consumer | undefined;
  until: number;
}

/** A receiver of a queue's messages. In the broker it is a link. */
export interface Consumer {
  /** The session whose messages it receives, on a queue with sessions. */
  readonly sessionId: string | undefined;
  /** True for receive-and-delete: a delivered message needs no settlement. */
  readonly deletesOnReceipt: boolean;
  /** How many messages it accepts now. */
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
