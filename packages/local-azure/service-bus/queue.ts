import type { QueueDeclaration } from "./config.ts";
import type { DueTime, DueTimes } from "./due-times.ts";
import { DuplicateWindow } from "./duplicates.ts";
import { Locks } from "./locks.ts";
import type { Consumer, Entry, Message, Outcome, Properties } from "./message.ts";
import { ReadyMessages } from "./ready-messages.ts";
import { Sessions } from "./sessions.ts";
import { StoredMessages } from "./stored-messages.ts";

/** The numbers of a queue's messages. */
export interface QueueCounts {
  readonly name: string;
  /** Messages that a receiver can get, and deferred messages. */
  readonly active: number;
  readonly locked: number;
  readonly scheduled: number;
  /** Messages of its dead-letter queue, in every state. */
  readonly deadLettered: number;
}

type Rules = Omit<QueueDeclaration, "name">;

/** Makes a queue with its dead-letter queue, `deadLetters`. There, messages do not expire and deliveries are not counted. */
export function createQueue({ name, ...rules }: QueueDeclaration, time: DueTimes): Queue {
  const deadLetterRules: Rules = {
    lockDurationMs: rules.lockDurationMs,
    maxDeliveryCount: Infinity,
    timeToLiveMs: Infinity,
    deadLetterOnExpiration: false,
    requiresSession: false,
    duplicateWindowMs: undefined,
  };
  return new Queue(name, rules, time, new Queue(`${name}/$DeadLetterQueue`, deadLetterRules, time, undefined));
}

/** The semantics of one Service Bus queue, without AMQP. Messages live in memory and end with the process. */
export class Queue {
  readonly name: string;
  readonly requiresSession: boolean;
  readonly deadLetters: Queue | undefined;
  readonly sessions: Sessions;
  readonly #rules: Rules;
  readonly #time: DueTimes;
  readonly #stored = new StoredMessages();
  readonly #due = new Map<Entry, DueTime>(); // an activation, or the end of a time to live
  readonly #ready: ReadyMessages;
  readonly #locks: Locks;
  readonly #duplicates: DuplicateWindow | undefined;
  #consumers: Consumer[] = [];
  #scheduled = 0;

  constructor(name: string, rules: Rules, time: DueTimes, deadLetters: Queue | undefined) {
    this.name = name;
    this.deadLetters = deadLetters;
    this.requiresSession = rules.requiresSession;
    this.#rules = rules;
    this.#time = time;
    this.#locks = new Locks(rules.lockDurationMs, time, (entry) => this.#deliveryFailed(entry));
    this.#duplicates = rules.duplicateWindowMs === undefined ? undefined : new DuplicateWindow(rules.duplicateWindowMs);
    this.#ready = new ReadyMessages(({ message }) => (rules.requiresSession ? (message.sessionId ?? "") : ""));
    this.sessions = new Sessions(
      {
        lockDurationMs: rules.lockDurationMs,
        hasReady: (session) => this.#ready.first(session) !== undefined,
        readySessions: () => this.#ready.sessions(),
        onReleased: (consumer, expired) => this.#sessionReleased(consumer, expired),
      },
      time,
    );
  }

  /** The number of its messages in all states. */
  get length(): number {
    return this.#stored.size;
  }

  get counts(): QueueCounts {
    const [locked, scheduled] = [this.#locks.size, this.#scheduled];
    const deadLettered = this.deadLetters?.length ?? 0;
    return { name: this.name, active: this.length - locked - scheduled, locked, scheduled, deadLettered };
  }

  /** Stores a message, or holds it until its scheduled time. Returns its sequence number, or undefined if it was dropped as a duplicate. */
  send(message: Message): number | undefined {
    if (this.#duplicates?.hasSeen(message.id, this.#time.now())) return undefined;
    const { scheduledFor } = message;
    if (scheduledFor === undefined || scheduledFor <= this.#time.now()) return this.#enqueue(message).sequenceNumber;
    const entry = this.#stored.add(message, this.#time.now(), { state: "scheduled" });
    this.#scheduled++;
    this.#due.set(
      entry,
      this.#time.at(scheduledFor, () => {
        this.#remove(entry);
        // It gets a new sequence number, as in Azure.
        this.#enqueue(message, { enqueuedSequenceNumber: entry.sequenceNumber, wasScheduled: true });
      }),
    );
    return entry.sequenceNumber;
  }

  /** Cancels all of these scheduled messages. If one is not found, cancels none and returns false. */
  cancelScheduled(sequenceNumbers: readonly number[]): boolean {
    const found = this.#stored.all(sequenceNumbers, (entry) => entry.state === "scheduled");
    for (const entry of found ?? []) this.#remove(entry);
    return found !== undefined;
  }

  attach(consumer: Consumer): void {
    this.#consumers.push(consumer);
    this.pump();
  }

  /** Removes the consumer and releases its session. Its locked messages stay locked until they are settled or the lock expires. */
  detach(consumer: Consumer): void {
    this.#consumers = this.#consumers.filter((other) => other !== consumer);
    if (consumer.sessionId !== undefined) this.sessions.release(consumer);
  }

  /** Delivers ready messages to consumers with credit, one to each in turn. Call it whenever credit has grown. */
  pump(): void {
    let served = true;
    while (served && !this.#ready.isEmpty()) {
      served = false;
      for (const consumer of this.#consumers) served = this.#serve(consumer) || served;
      const first = served ? this.#consumers.shift() : undefined;
      if (first) this.#consumers.push(first);
    }
  }

  /** Returns the end of the renewed lock (milliseconds since 1970), or undefined if the lock is lost. */
  renewLock(token: string): number | undefined {
    return this.#locks.renew(token);
  }

  /**
   * Ends a lock with the receiver's decision. A release does not count as a delivery. `refused`: a dead letter cannot be dead-lettered
   * again, and becomes ready again.
   */
  settle(token: string, outcome: Outcome): "settled" | "lost" | "refused" {
    const entry = this.#locks.find(token);
    if (!entry) return "lost";
    this.#locks.release(entry);
    if (outcome.type === "complete") {
      this.#remove(entry);
      return "settled";
    }
    if (outcome.type === "release" || (outcome.type === "deadLetter" && !this.deadLetters)) {
      this.#giveBack(entry);
      return outcome.type === "release" ? "settled" : "refused";
    }
    entry.properties = merged(entry.properties, outcome.properties);
    if (outcome.type === "deadLetter") {
      this.#bury(entry, outcome.reason, outcome.description);
    } else if (outcome.type === "defer") {
      entry.state = "deferred";
      entry.deliveryCount++;
    } else {
      this.#deliveryFailed(entry);
    }
    return "settled";
  }

  /**
   * Locks all of these deferred messages, or removes them on receive-and-delete. If one is not found, does nothing and returns undefined.
   */
  receiveDeferred(sequenceNumbers: readonly number[], deletesOnReceipt: boolean): Entry[] | undefined {
    const found = this.#stored.all(sequenceNumbers, (entry) => entry.state === "deferred" && !entry.lock);
    for (const entry of found ?? []) {
      if (deletesOnReceipt) this.#remove(entry);
      else this.#locks.take(entry, undefined, undefined);
    }
    return found;
  }

  /** Returns up to `count` messages in any state, from a sequence number on, without locking them. */
  peek(from: number, count: number, sessionId?: string): Entry[] {
    return this.#stored.from(from, count, sessionId);
  }

  #enqueue(message: Message, given: Partial<Entry> = {}): Entry {
    const now = this.#time.now();
    const timeToLiveMs = Math.min(message.timeToLiveMs, this.#rules.timeToLiveMs);
    const entry = this.#stored.add(message, now, { timeToLiveMs, expiresAt: now + timeToLiveMs, ...given });
    if (entry.expiresAt !== Infinity)
      this.#due.set(
        entry,
        this.#time.at(entry.expiresAt, () => this.#expire(entry)),
      );
    this.#makeReady(entry);
    return entry;
  }

  #makeReady(entry: Entry): void {
    this.#ready.add(entry);
    if (this.requiresSession) this.sessions.offer(entry.message.sessionId ?? "");
    this.pump();
  }

  #serve(consumer: Consumer): boolean {
    const entry = this.#ready.first(consumer.sessionId ?? "");
    if (!entry || consumer.credit() <= 0) return false;
    if (entry.expiresAt <= this.#time.now()) {
      this.#expire(entry);
      return true;
    }
    if (consumer.deletesOnReceipt) {
      this.#remove(entry);
    } else {
      this.#ready.remove(entry);
      const { sessionId } = consumer;
      this.#locks.take(entry, consumer, sessionId === undefined ? undefined : this.sessions.lockedUntil(sessionId));
    }
    consumer.deliver(entry);
    return true;
  }

  #sessionReleased(consumer: Consumer, expired: boolean): void {
    this.#consumers = this.#consumers.filter((other) => other !== consumer);
    for (const entry of this.#locks.heldBy(consumer)) {
      this.#locks.release(entry);
      if (expired) this.#deliveryFailed(entry);
      else this.#giveBack(entry); // closing a session's receiver does not count as a delivery
    }
  }

  #deliveryFailed(entry: Entry): void {
    if (this.deadLetters) entry.deliveryCount++;
    if (entry.deliveryCount < this.#rules.maxDeliveryCount) return this.#giveBack(entry);
    const attempts = `Message could not be consumed after ${entry.deliveryCount} delivery attempts.`;
    this.#bury(entry, "MaxDeliveryCountExceeded", attempts);
  }

  #giveBack(entry: Entry): void {
    if (entry.expiresAt <= this.#time.now()) this.#expire(entry);
    else if (entry.state === "active") this.#makeReady(entry);
  }

  /** Expires a message. A locked message outlives its time to live, because its receiver may still complete it. */
  #expire(entry: Entry): void {
    if (entry.lock) return;
    if (this.#rules.deadLetterOnExpiration && this.deadLetters) {
      this.#bury(entry, "TTLExpiredException", "The message expired and was dead lettered.");
    } else {
      this.#remove(entry);
    }
  }

  #bury(entry: Entry, reason: string | undefined, description: string | undefined): void {
    this.#remove(entry);
    if (!this.deadLetters) return;
    const why = new Map<string, string>();
    if (reason !== undefined) why.set("DeadLetterReason", reason);
    if (description !== undefined) why.set("DeadLetterErrorDescription", description);
    this.deadLetters.#enqueue(entry.message, {
      enqueuedSequenceNumber: entry.enqueuedSequenceNumber,
      timeToLiveMs: entry.timeToLiveMs,
      expiresAt: Infinity,
      wasScheduled: entry.wasScheduled,
      deliveryCount: entry.deliveryCount,
      properties: merged(entry.properties, why),
      deadLetterSource: this.name,
    });
  }

  #remove(entry: Entry): void {
    this.#locks.release(entry);
    this.#ready.remove(entry);
    this.#due.get(entry)?.cancel();
    this.#due.delete(entry);
    if (this.#stored.delete(entry) && entry.state === "scheduled") this.#scheduled--;
  }
}

const merged = (properties: Properties, more: Properties): Properties =>
  more.size === 0 ? properties : new Map([...properties, ...more]);
