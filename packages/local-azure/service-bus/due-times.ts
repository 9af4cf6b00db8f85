import { Heap } from "../common/heap.ts";

/** The broker's clock. Tests pass a clock that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rings once, at `time` or earlier. Returns a function that cancels the alarm. */
  alarm(time: number, ring: () => void): () => void;
}

const longestTimeout = 0x7fff_ffff;

/** The machine's clock. Its alarms do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  alarm: (time, ring) => {
    const delay = Math.min(Math.max(time - Date.now(), 0), longestTimeout);
    const timer = setTimeout(ring, delay).unref();
    return () => clearTimeout(timer);
  },
};

/** An action that happens at its time unless it is cancelled. */
export interface DueTime {
  cancel(): void;
}

/** Every timed action (activations, lock expiries, times to live), in one heap with one alarm. */
export class DueTimes {
  readonly #clock: Clock;
  readonly #heap = new Heap<() => void>();
  #alarmTime = Infinity;
  #cancelAlarm = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** Calls `act` when `time` (milliseconds since 1970) is reached. Actions with the same time run in the order of these calls. */
  at(time: number, act: () => void): DueTime {
    const node = this.#heap.push(act, time);
    this.#setAlarm();
    return { cancel: () => this.#heap.remove(node) };
  }

  /** Drops every waiting action. */
  clear(): void {
    for (let next = this.#heap.peek(); next; next = this.#heap.peek()) this.#heap.remove(next);
    this.#cancelAlarm();
    this.#alarmTime = Infinity;
  }

  /**
   * Only an earlier time moves the alarm. After a cancellation, the alarm may ring without work. That is cheaper than a new timer for each
   * message.
   */
  #setAlarm(): void {
    const next = this.#heap.peek();
    if (next === undefined || next.order >= this.#alarmTime) return;
    this.#cancelAlarm();
    this.#alarmTime = next.order;
    this.#cancelAlarm = this.#clock.alarm(next.order, () => this.#ring());
  }

  #ring(): void {
    this.#alarmTime = Infinity;
    try {
      const now = this.now();
      for (let next = this.#heap.peek(); next && next.order <= now; next = this.#heap.peek()) {
        this.#heap.remove(next);
        next.value();
      }
    } finally {
      this.#setAlarm();
    }
  }
}
