/** Virtual time and what is to happen in it: nothing waits, time jumps to the next event. */
export interface Agenda {
  /** Milliseconds since the world began. */
  now(): number;
  after(ms: number, run: () => void): void;
  sleep(ms: number): Promise<void>;
  /** Lives event by event until none is left, or none before `until`, or so many were lived. */
  run(limits: { readonly until: number; readonly events: number }): Promise<Ending>;
}

/** `quiet`: nothing was left to do. */
export type Ending = "quiet" | "time is up" | "too many events";

interface Event {
  readonly time: number;
  readonly order: number;
  readonly run: () => void;
}

/** Events at the same moment happen in the order in which they were entered. */
export function createAgenda(): Agenda {
  const heap: Event[] = [];
  let now = 0;
  let entered = 0;
  const after = (ms: number, run: () => void) =>
    push(heap, { time: now + Math.max(0, Math.round(ms)), order: entered++, run });
  return {
    now: () => now,
    after,
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    async run({ until, events }) {
      await settled();
      for (let lived = 0; ; lived++) {
        const next = heap[0];
        if (!next) return "quiet";
        if (next.time > until) return "time is up";
        if (lived === events) return "too many events";
        pop(heap);
        now = next.time;
        next.run();
        await settled();
      }
    },
  };
}

/**
 * Resolves once no code can run any further without a new event: a tick asked for by a microtask comes after all microtasks,
 * however many follow from one another.
 */
const settled = () => new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));

const isBefore = (a: Event, b: Event) => a.time < b.time || (a.time === b.time && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (!parent || isBefore(parent, event)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
}

/** Takes the first event away. */
function pop(heap: Event[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    if (!left) break;
    const right = heap[2 * at + 2];
    const [child, below] = right && isBefore(right, left) ? [right, 2 * at + 2] : [left, 2 * at + 1];
    if (isBefore(last, child)) break;
    heap[at] = child;
    at = below;
  }
  heap[at] = last;
}
