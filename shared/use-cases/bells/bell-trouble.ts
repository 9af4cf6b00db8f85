import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { OperatorLog } from "../../ports/operator-log.ts";

const ONCE_IN_MS = 60_000;

/** Logs failed reads and writes of bells: the first one at once, then one line a minute with the number of failures. */
export function bellTrouble(
  operatorLog: Pick<OperatorLog, "impaired">,
  clock: Pick<Clock, "now">,
): (error: unknown) => void {
  let failures = 0;
  let loggedAt: Instant | undefined;
  return (error) => {
    failures++;
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(msBetween(loggedAt, now)) < ONCE_IN_MS) return;
    operatorLog.impaired({ part: "bells", failures, error: String(error) });
    loggedAt = now;
    failures = 0;
  };
}
