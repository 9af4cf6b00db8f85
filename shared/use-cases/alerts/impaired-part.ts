import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";

const ONCE_IN_MS = 60_000;

/**
 * Logs the failures of a part that the platform can run without. The first failure is logged at once, then one line a minute with the
 * number of failures. No operator is called.
 */
export function impairedPart(
  part: "bells" | "traces",
  log: Pick<Log, "write">,
  clock: Pick<Clock, "now">,
): (error: unknown) => void {
  let failures = 0;
  let loggedAt: Instant | undefined;
  return (error) => {
    failures++;
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(msBetween(loggedAt, now)) < ONCE_IN_MS) return;
    log.write(`${part}Impaired`, { tries: failures, error: loggedError(error).error });
    loggedAt = now;
    failures = 0;
  };
}
