import type { ServiceBusQueueHandler } from "@azure/functions";
import { queueAgeMs } from "./queue-worker.ts";

/** A host and its queues are judged by the last time of this length. */
const WINDOW_MS = 100;
/** The event loop is busy if it did not rest for more of the time than this. */
const BUSY = 0.9;
/** A queue lags if every message of it has waited longer. */
const LAG_MS = 100;

/** What a host has to do. */
export interface HostLoad {
  /**
   * Whether the host has more to do than it can: its event loop hardly rests, and the messages of a queue wait. Either alone does not mean
   * it: an event loop without rest may serve everything in time, and queues also wait for what is away.
   */
  readonly isBusy: () => boolean;
  /** The same worker of a queue, whose messages are looked at as they come. */
  readonly watched: (worker: ServiceBusQueueHandler) => ServiceBusQueueHandler;
}

/** Judges this process. `now` is in milliseconds since 1970, by which the broker's times are judged too. */
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

/** The least wait of the last time: a message that came a second time may be old in a queue that is empty. */
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

/** Whether this process's event loop hardly rested lately. */
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
