import type { Entry, Message } from "./message.ts";

/** All messages of a queue in every state, in order of sequence number. A new message gets the next number. */
export class StoredMessages {
  readonly #entries = new Map<number, Entry>();
  #lastSequenceNumber = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Numbers and stores a message that arrives at `now`. `given` has the members that differ from those of a new, active message. */
  add(message: Message, now: number, given: Partial<Entry> = {}): Entry {
    const sequenceNumber = ++this.#lastSequenceNumber;
    const entry: Entry = {
      message,
      sequenceNumber,
      enqueuedSequenceNumber: sequenceNumber,
      enqueuedAt: now,
      timeToLiveMs: message.timeToLiveMs,
      expiresAt: Infinity,
      wasScheduled: false,
      deadLetterSource: undefined,
      state: "active",
      deliveryCount: 0,
      properties: new Map(),
      lock: undefined,
      ...given,
    };
    this.#entries.set(sequenceNumber, entry);
    return entry;
  }

  /** Returns whether it was there. */
  delete(entry: Entry): boolean {
    return this.#entries.delete(entry.sequenceNumber);
  }

  /** The messages with these numbers. Undefined if one is missing or does not match. */
  all(sequenceNumbers: readonly number[], matches: (entry: Entry) => boolean): Entry[] | undefined {
    const found: Entry[] = [];
    for (const sequenceNumber of new Set(sequenceNumbers)) {
      const entry = this.#entries.get(sequenceNumber);
      if (!entry || !matches(entry)) return undefined;
      found.push(entry);
    }
    return found;
  }

  /** Up to `count` messages from a sequence number on, of one session or of all. */
  from(sequenceNumber: number, count: number, sessionId: string | undefined): Entry[] {
    const found: Entry[] = [];
    for (const entry of this.#entries.values()) {
      if (found.length >= count) break;
      if (entry.sequenceNumber < sequenceNumber) continue;
      if (sessionId === undefined || entry.message.sessionId === sessionId) found.push(entry);
    }
    return found;
  }
}
