import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { loggedError } from "../../ports/logged-error.ts";

const ONCE_IN_MS = 60_000;

/** Logs the failures of a part that the platform can do without, such as the bells: the first one at once, then one line a minute with the number of failures. */
export function bellTrouble(
  log: Pick<Log, "write">,
  clock: Pick<Clock, "now">,
  part: "bells" | "traces" = "bells",
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
