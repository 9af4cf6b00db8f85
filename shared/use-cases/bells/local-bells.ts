import type { Bells } from "../../ports/bells.ts";

/** The bells of one process. */
export interface LocalBells extends Bells {
  /** True while no poll waits in this process. */
  isDeaf(): boolean;
  /** Rings every terminal that a poll waits for. Used if some terminals were rung and it is unknown which. */
  ringAll(): void;
}

export function localBells(): LocalBells {
  const waiting = new Map<string, Set<() => void>>();
  const ring = (terminalId: string) => waiting.get(terminalId)?.forEach((wake) => wake());
  return {
    ring,
    listen(terminalId, wake) {
      const own = () => wake(); // so that the same function may listen twice
      const wakes = waiting.get(terminalId) ?? new Set();
      waiting.set(terminalId, wakes.add(own));
      return () => {
        wakes.delete(own);
        if (wakes.size === 0 && waiting.get(terminalId) === wakes) waiting.delete(terminalId);
      };
    },
    isDeaf: () => waiting.size === 0,
    ringAll: () => [...waiting.keys()].forEach(ring),
  };
}
