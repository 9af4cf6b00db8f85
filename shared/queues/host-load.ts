import type { ServiceBusQueueHandler } from "@azure/functions";
import { queueAgeMs } from "./queue-worker.ts";

/** The load of a host and its queues is measured over windows of this length. */
const WINDOW_MS = 100;
/** The event loop is busy if its utilization is higher than this. */
const BUSY = 0.9;
/** A queue lags if every message of a window has waited longer than this. */
const LAG_MS = 100;

/** The load of a host. */
export interface HostLoad {
  /**
   * Whether the host is overloaded: its event loop hardly rests, and the messages of a queue wait. One sign alone is not enough. A busy
   * event loop may serve everything in time, and messages also wait if a dependency is down.
   */
  readonly isBusy: () => boolean;
  /** Wraps a queue's worker, to observe how long its messages waited. */
  readonly watched: (worker: ServiceBusQueueHandler) => ServiceBusQueueHandler;
}

/** Measures the load of this process. `now` is in milliseconds since 1970, because it is compared with the broker's times. */
export function hostLoad(now: () => number, isLoopBusy = busyEventLoop()): HostLoad {
  const queues: { readonly isLagging: () => boolean }[] = [];
  return {
    isBusy: () => isLoopBusy() && queues.some((queue) => queue.isLagging()),
    watched(worker) {
      const queue = watchedQueue(now);
      queues.push(queue);
      return (message, context) => {
        queue.note(queueAgeMs(context.triggerMetadata ?? {}, now()));
        return worker(message, context);
      };
    },
  };
}

/**
 * Keeps the shortest wait of the last window. A single wait says little, because a redelivered message may be old although its queue is
 * empty.
 */
function watchedQueue(now: () => number) {
  let since = now();
  let least = Infinity;
  let before = 0;
  const look = (): void => {
    const passed = now() - since;
    if (passed >= 0 && passed < WINDOW_MS) return;
    before = least === Infinity || passed > 2 * WINDOW_MS ? 0 : least;
    [since, least] = [now(), Infinity];
  };
  return {
    note(age: number | undefined): void {
      look();
      if (age !== undefined) least = Math.min(least, age);
    },
    isLagging(): boolean {
      look();
      return before > LAG_MS;
    },
  };
}

/** Whether this process's event loop hardly rested in the last window. */
export function busyEventLoop(): () => boolean {
  let since = performance.now();
  let before = performance.eventLoopUtilization();
  let utilization = 0;
  return () => {
    if (performance.now() - since >= WINDOW_MS) {
      const now = performance.eventLoopUtilization();
      utilization = performance.eventLoopUtilization(now, before).utilization;
      [since, before] = [performance.now(), now];
    }
    return utilization > BUSY;
  };
}
