import { randomUUID } from "node:crypto";
import type { DueTime, DueTimes } from "./due-times.ts";
import type { Consumer, Entry, Lock } from "./message.ts";

interface HeldLock extends Lock {
  readonly entry: Entry;
  expiry: DueTime | undefined;
}

/** A queue's message locks. A lock of a session's message ends with the session's lock. Any other lock expires by itself. */
export class Locks {
  readonly #durationMs: number;
  readonly #time: DueTimes;
  readonly #onExpiry: (entry: Entry) => void;
  readonly #held = new Map<string, HeldLock>();

  constructor(durationMs: number, time: DueTimes, onExpiry: (entry: Entry) => void) {
    this.#durationMs = durationMs;
    this.#time = time;
    this.#onExpiry = onExpiry;
  }

  /** The number of locked messages. */
  get size(): number {
    return this.#held.size;
  }

  /** Locks the entry. `sessionUntil` is the end of its session's lock. Undefined if it has no session. */
  take(entry: Entry, consumer: Consumer | undefined, sessionUntil: number | undefined): void {
    const lock: HeldLock = { token: randomUUID(), entry, consumer, until: sessionUntil ?? 0, expiry: undefined };
    entry.lock = lock;
    this.#held.set(lock.token, lock);
    if (sessionUntil === undefined) this.#extend(lock);
  }

  /** Returns the end of the renewed lock (milliseconds since 1970), or undefined if the lock is lost. */
  renew(token: string): number | undefined {
    const lock = this.#held.get(token);
    return lock && this.#extend(lock);
  }

  find(token: string): Entry | undefined {
    return this.#held.get(token)?.entry;
  }

  heldBy(consumer: Consumer): Entry[] {
    return [...this.#held.values()].filter((lock) => lock.consumer === consumer).map(({ entry }) => entry);
  }

  release(entry: Entry): void {
    if (!entry.lock) return;
    const { token } = entry.lock;
    this.#held.get(token)?.expiry?.cancel();
    this.#held.delete(token);
    entry.lock = undefined;
  }

  #extend(lock: HeldLock): number {
    lock.expiry?.cancel();
    lock.until = this.#time.now() + this.#durationMs;
    lock.expiry = this.#time.at(lock.until, () => {
      this.release(lock.entry);
      this.#onExpiry(lock.entry);
    });
    return lock.until;
  }
}
