import { setTimeout as sleep } from "node:timers/promises";

/** Waits for changes of a payment. */
export interface Changes {
  /** Resolves with true if the payment may have changed, and with false if it has not changed within this time. */
  within(ms: number): Promise<boolean>;
}

/** Changes that follow each other closely are read together. */
const GATHER_MS = 200;

/** Changes that the caller of `notice` learns of. `within` resolves early if the signal aborts. */
export function noticedChanges(signal: AbortSignal): Changes & { notice(): void } {
  let isNoticed = false;
  let wake = () => {};
  return {
    notice() {
      isNoticed = true;
      wake();
    },
    async within(ms) {
      if (!isNoticed && !signal.aborted) {
        const waking = new AbortController();
        wake = () => waking.abort();
        await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {});
      }
      if (!isNoticed) return false;
      await sleep(GATHER_MS, undefined, { signal }).catch(() => {});
      isNoticed = false;
      return true;
    },
  };
}

/** Changes of which nothing is learned, so there may be one after each wait. */
export const unnoticedChanges = (signal: AbortSignal): Changes => ({
  async within(ms) {
    await sleep(ms, undefined, { signal }).catch(() => {});
    return true;
  },
});
