/** How often an event may happen under one name. */
export interface Limit {
  readonly most: number;
  readonly withinMs: number;
}

/**
 * Counts one event under the name. If the limit is reached, the event is not counted, and the milliseconds until the next allowed one are
 * returned.
 */
export type Count = (name: string, now: number) => number | undefined;

/** Bounds the memory that guessers can fill. The name whose last event is the oldest is removed first. */
const MAX_NAMES = 10_000;

/** Limits the events under each name. The counts are in memory: each of several servers has its own. */
export function newLimit({ most, withinMs }: Limit): Count {
  const times = new Map<string, readonly number[]>();
  return (name, now) => {
    const recent = (times.get(name) ?? []).filter((at) => now - at < withinMs);
    const [oldest = now] = recent;
    if (recent.length >= most) return oldest + withinMs - now;
    times.delete(name); // the map keeps the order of insertion
    times.set(name, [...recent, now]);
    const [first] = times.keys();
    if (times.size > MAX_NAMES && first !== undefined) times.delete(first);
    return undefined;
  };
}

/**
 * The name under which an IP address is counted. For IPv6 it is the /64, which one household has as a whole. A port that a proxy appends is
 * removed.
 */
export function networkOf(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(address) ?? [];
  const ip = (bracketed ?? address).replace(/^::ffff:(?=\d+\.)/i, "").replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
  if (!ip.includes(":")) return ip;
  const [begin = [], end = []] = ip.split("::").map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(Math.max(0, 8 - begin.length - end.length)).fill("0");
  return [...begin, ...zeros, ...end].slice(0, 4).join(":").toLowerCase();
}
