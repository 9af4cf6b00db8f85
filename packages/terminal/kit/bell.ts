/** Wakes the callers that wait for a change. */
export interface Bell {
  ring(): void;
  /** Resolves at the next ring, after the given time, or when the signal aborts. */
  next(withinMs: number, signal?: AbortSignal): Promise<void>;
}

export function newBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    next(withinMs, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, withinMs);
      waiting.add(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(resolve);
      });
    },
  };
}
