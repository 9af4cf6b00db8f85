import type { DueTime, DueTimes } from "./due-times.ts";
import type { Consumer } from "./message.ts";

interface Session {
  state: Buffer | undefined;
  holder: Consumer | undefined;
  lockedUntil: number;
  expiry: DueTime | undefined;
}

interface Waiter {
  /** Undefined means any session with messages. */
  readonly sessionId: string | undefined;
  /** Takes the session. Returns false if the receiver is gone. */
  accept(sessionId: string): boolean;
}

/** The parts of a queue that its sessions use. */
export interface SessionQueue {
  readonly lockDurationMs: number;
  hasReady(sessionId: string): boolean;
  readySessions(): Iterable<string>;
  /** Releases the consumer's locked messages. */
  onReleased(consumer: Consumer, expired: boolean): void;
}

/** The holders of a queue's sessions, and the receivers that wait for one. */
export class Sessions {
  readonly #queue: SessionQueue;
  readonly #time: DueTimes;
  readonly #sessions = new Map<string, Session>();
  readonly #waiters = new Set<Waiter>();

  constructor(queue: SessionQueue, time: DueTimes) {
    this.#queue = queue;
    this.#time = time;
  }

  isLocked(id: string): boolean {
    return this.#sessions.get(id)?.holder !== undefined;
  }

  /**
   * Requests the named session, or any free session with messages, and waits until there is one. `accept` returns true at most once.
   * Returns a function that stops the wait.
   */
  request(sessionId: string | undefined, accept: (sessionId: string) => boolean): () => void {
    const waiter: Waiter = { sessionId, accept };
    this.#waiters.add(waiter);
    const candidates = sessionId === undefined ? [...this.#queue.readySessions()] : [sessionId];
    for (const id of candidates) if (this.#waiters.has(waiter)) this.offer(id);
    return () => {
      this.#waiters.delete(waiter);
    };
  }

  /**
   * Gives a free session to the receiver that waits for it by name. If there is none, the first receiver that accepts any session gets it.
   */
  offer(id: string): void {
    while (!this.isLocked(id)) {
      const waiter = this.#waiterFor(id);
      if (!waiter) return;
      this.#waiters.delete(waiter);
      if (waiter.accept(id)) return;
    }
  }

  /** Locks the session for the consumer. Returns the end of the lock (milliseconds since 1970). */
  hold(id: string, holder: Consumer): number {
    const session = this.#session(id);
    session.holder = holder;
    return this.#extend(session, holder);
  }

  /** The end of the session's renewed lock, or undefined if no consumer holds it. */
  renew(id: string): number | undefined {
    const session = this.#sessions.get(id);
    return session?.holder && this.#extend(session, session.holder);
  }

  lockedUntil(id: string): number | undefined {
    return this.#sessions.get(id)?.lockedUntil;
  }

  release(holder: Consumer): void {
    this.#release(holder, false);
  }

  state(id: string): Buffer | undefined {
    return this.#sessions.get(id)?.state;
  }

  setState(id: string, state: Buffer | undefined): void {
    this.#session(id).state = state;
  }

  #session(id: string): Session {
    let session = this.#sessions.get(id);
    if (!session) {
      session = { state: undefined, holder: undefined, lockedUntil: 0, expiry: undefined };
      this.#sessions.set(id, session);
    }
    return session;
  }

  #waiterFor(id: string): Waiter | undefined {
    const waiters = [...this.#waiters];
    const byName = waiters.find((waiter) => waiter.sessionId === id);
    if (byName || !this.#queue.hasReady(id)) return byName;
    return waiters.find((waiter) => waiter.sessionId === undefined);
  }

  #extend(session: Session, holder: Consumer): number {
    session.expiry?.cancel();
    session.lockedUntil = this.#time.now() + this.#queue.lockDurationMs;
    session.expiry = this.#time.at(session.lockedUntil, () => {
      this.#release(holder, true);
      holder.sessionLost();
    });
    return session.lockedUntil;
  }

  #release(holder: Consumer, expired: boolean): void {
    const id = holder.sessionId ?? "";
    const session = this.#sessions.get(id);
    if (session?.holder !== holder) return;
    session.expiry?.cancel();
    session.holder = undefined;
    this.#queue.onReleased(holder, expired);
    this.offer(id);
  }
}
