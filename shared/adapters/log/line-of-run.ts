import { queueOf } from "../../ports/queues.ts";
import type { LineOf } from "../../ports/log.ts";

/** A message that waited longer than this in its queue has its line, in milliseconds. */
const ORDINARY_AGE_MS = 5_000;
/** The alert `payments-expiring` counts the runs with this effect. */
const COUNTED = "webhook~payment.expired";

/**
 * The line of a worker's run. Most runs of a payment are ordinary: they did their work in time, at their first delivery. Other lines and the
 * payment's history tell the same, so such a run has no line. A deadline has one, because the alert `deadlines-late` compares late deadlines
 * with all. If the payment did not await it, the line does not name the payment.
 */
export function lineOfRun(line: LineOf<"worker">): LineOf<"worker"> | undefined {
  const { queue, effect, outcome, tries, queueAgeMs, ms } = line;
  const isInTime = tries === 1 && queueAgeMs !== undefined && queueAgeMs < ORDINARY_AGE_MS;
  if (!isInTime || effect === COUNTED) return line;
  if (queue === queueOf.deadline)
    return outcome === "pointless" ? { queue, effect, outcome, tries, queueAgeMs, ms } : line;
  return outcome === "done" || outcome === "implied" ? undefined : line;
}
