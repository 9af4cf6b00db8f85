const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each attempt, counted from the end of the previous one. The last attempt comes about a week after the first. */
const delays = [0, 5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 24 * HOUR, 48 * HOUR, 72 * HOUR] as const;

/** Spreads the next attempts of webhooks that failed at the same moment. */
const JITTER = 0.1;

const LONGEST_RETRY_AFTER = 24 * HOUR;

/**
 * Seconds from a failed attempt (the first is 1) to the next. Undefined after the last. `random`, from 0 up to 1, shifts the delay by up to
 * 10 % in either direction. A longer `Retry-After`, in seconds, is respected up to 24 h.
 */
export function nextAttemptAfter(attempt: number, random: number, retryAfterSeconds = 0): number | undefined {
  const delay = delays[attempt];
  if (delay === undefined) return undefined;
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  return Math.max(jittered, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER));
}
