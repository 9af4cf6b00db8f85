/** Counts calls by key in a sliding window. */
export interface RateCounters {
  /** Counts one call, or, when there were `calls` within the last `windowMs`, yields the milliseconds until the next call is accepted. */
  take(key: string, calls: number, windowMs: number): number | undefined;
}

interface Counter {
  /** The times of the calls in the window, oldest first, starting at index `first`. */
  times: number[];
  first: number;
  windowMs: number;
}

const TIDY_ABOVE = 10_000;

/** Counters in memory. `now` is in milliseconds. A refused call is not counted. */
export function rateCounters(now: () => number): RateCounters {
  const counters = new Map<string, Counter>();
  return {
    take(key, calls, windowMs) {
      const at = now();
      if (counters.size > TIDY_ABOVE) forgetIdle(counters, at);
      const counter = counters.get(key) ?? { times: [], first: 0, windowMs };
      counters.set(key, counter);
      letGo(counter, at);
      if (counter.times.length - counter.first >= calls) {
        return (counter.times[counter.first] ?? at) + windowMs - at;
      }
      counter.times.push(at);
      return undefined;
    },
  };
}

/** Skips what has left the window, and drops it when it is most of the list. */
function letGo(counter: Counter, at: number): void {
  const { times, windowMs } = counter;
  while (counter.first < times.length && (times[counter.first] ?? 0) <= at - windowMs) counter.first += 1;
  if (counter.first * 2 > times.length) {
    counter.times = times.slice(counter.first);
    counter.first = 0;
  }
}

function forgetIdle(counters: Map<string, Counter>, at: number): void {
  for (const [key, { times, windowMs }] of counters) {
    if ((times.at(-1) ?? 0) <= at - windowMs) counters.delete(key);
  }
}
