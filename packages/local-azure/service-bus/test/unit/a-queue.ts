import type { QueueDeclaration } from "../../config.ts";
import { DueTimes } from "../../due-times.ts";
import type { Consumer, Entry, Message } from "../../message.ts";
import { createQueue, type Queue } from "../../queue.ts";
import { manualClock, type ManualClock } from "./manual-clock.ts";

export const second = 1_000;
export const minute = 60 * second;

export const aDeclaration = (given: Partial<QueueDeclaration> = {}): QueueDeclaration => ({
  name: "orders",
  lockDurationMs: minute,
  maxDeliveryCount: 10,
  timeToLiveMs: Infinity,
  deadLetterOnExpiration: false,
  requiresSession: false,
  duplicateWindowMs: undefined,
  ...given,
});

/** A queue with a clock that only the test moves. */
export function aQueue(given: Partial<QueueDeclaration> = {}): {
  queue: Queue;
  deadLetters: Queue;
  clock: ManualClock;
} {
  const clock = manualClock();
  const queue = createQueue(aDeclaration(given), new DueTimes(clock));
  if (!queue.deadLetters) throw new Error("a declared queue has a dead-letter queue");
  return { queue, deadLetters: queue.deadLetters, clock };
}

export const aMessage = (given: Partial<Message> = {}): Message => ({
  id: "m-1",
  sessionId: undefined,
  timeToLiveMs: Infinity,
  scheduledFor: undefined,
  content: {
    header: [],
    annotations: new Map(),
    properties: Buffer.alloc(0),
    applicationProperties: Buffer.alloc(0),
    body: Buffer.alloc(0),
  },
  ...given,
});

/** A consumer that records the messages that it receives. */
export interface RecordingConsumer extends Consumer {
  readonly taken: Entry[];
  /** The ids of the received messages, in order. */
  ids(): string[];
  /** The token of the last received lock. */
  lastToken(): string;
  lostSession: boolean;
}

/** A consumer that accepts `capacity` messages in total. */
export function aConsumer(capacity = Infinity, given: Partial<Consumer> = {}): RecordingConsumer {
  const taken: Entry[] = [];
  let lastToken = "";
  const consumer: RecordingConsumer = {
    sessionId: undefined,
    deletesOnReceipt: false,
    taken,
    lostSession: false,
    ids: () => taken.map(({ message }) => message.id),
    lastToken: () => lastToken,
    credit: () => capacity - taken.length,
    deliver: (entry) => {
      taken.push(entry);
      lastToken = entry.lock?.token ?? "";
    },
    sessionLost: () => {
      consumer.lostSession = true;
    },
    ...given,
  };
  return consumer;
}
