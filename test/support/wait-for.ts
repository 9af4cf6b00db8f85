import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

/** How long a caller waits. */
export interface Patience {
  /** 20 s if it is left out. */
  readonly withinMs?: number | undefined;
}

interface Bounds<T> extends Patience {
  /** Whether the observed value is enough. If it is left out, any value is. */
  readonly until?: (seen: T) => boolean;
  /** The value that the error shows instead of the observed one. */
  readonly show?: () => unknown;
}

/** For a wait that includes a deadline, a crash, a restore or a crowd. */
export const LONG: Patience = { withinMs: 60_000 };

/** A boolean is not allowed, because `false` would end the wait. */
type Answer = object | string | number;

const SHOWN = 500;

/** Repeats the look until its result is enough. If that takes too long, it throws the name of the wait and the last result. */
export async function waitFor<T extends Answer>(
  what: string,
  look: () => Promise<T | undefined>,
  { until = () => true, withinMs = 20_000, show }: Bounds<T> = {},
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && until(seen)) return seen;
    if (performance.now() > end) {
      const last = inspect(show ? show() : seen, { depth: 8, breakLength: Infinity }).slice(0, SHOWN);
      throw new Error(`waited ${withinMs} ms in vain for: ${what}; saw last: ${last}`);
    }
    await sleep(25);
  }
}
