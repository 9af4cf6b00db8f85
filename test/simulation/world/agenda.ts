import { Heap } from "../../../packages/local-azure/common/heap.ts";

/** Virtual time and its future events. There is no waiting, because time jumps to the next event. */
export interface Agenda {
  /** Milliseconds since the world began. */
  now(): number;
  /** @param isBackground the event recurs although nothing is left to do, so a world that has only such events left is quiet */
  after(ms: number, run: () => void, isBackground?: boolean): void;
  sleep(ms: number): Promise<void>;
  /** Runs event by event until none is left, none is left before `until`, or this many have run. */
  run(limits: { readonly until: number; readonly events: number }): Promise<Ending>;
}

/** `quiet`: no event was left, except in the background. */
export type Ending = "quiet" | "time is up" | "too many events";

/** Events of the same time run in the order in which they were entered. */
export function createAgenda(): Agenda {
  const heap = new Heap<() => void>();
  let now = 0;
  let foreground = 0;
  function after(ms: number, run: () => void, isBackground = false): void {
    if (!isBackground) foreground++;
    const live = (): void => {
      if (!isBackground) foreground--;
      run();
    };
    heap.push(live, now + Math.max(0, Math.round(ms)));
  }
  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    async run({ until, events }) {
      await settled();
      for (let lived = 0; ; lived++) {
        const next = heap.peek();
        if (!next) return "quiet";
        if (next.order > until) return foreground === 0 ? "quiet" : "time is up";
        if (lived === events) return "too many events";
        heap.remove(next);
        now = next.order;
        next.value();
        await settled();
      }
    },
  };
}

/**
 * Resolves once no code can run further without a new event. A tick that a microtask requests comes after all microtasks, including those
 * that other microtasks add.
 */
const settled = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
