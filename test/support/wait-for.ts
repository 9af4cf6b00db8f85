import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

/** How long a caller waits. */
export interface Patience {
  /** 20 s where left out. */
  readonly withinMs?: number | undefined;
}

interface Bounds<T> extends Patience {
  /** Whether what is seen is enough; anything is where left out. */
  readonly until?: (seen: T) => boolean;
  /** What the error shows in place of what was seen. */
  readonly show?: () => unknown;
}

/** For a wait behind a deadline, a crash, a restore or a crowd. */
export const LONG: Patience = { withinMs: 60_000 };

/** A boolean is no answer to wait for: `false` would be one. */
type Answer = object | string | number;

const SHOWN = 500;

/** Looks until there is an answer that is enough; if that takes too long, it throws what it waited for and what it saw last. */
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
