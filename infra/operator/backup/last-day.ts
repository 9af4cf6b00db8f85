import { effectId, type StoredEffect } from "../../../shared/domain/effects.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";

// The tables of an export are of different moments. After a failover, the surviving tables have no guaranteed order either. So a payment's
// command may mark an effect as done whose result another table does not hold yet.

/** Longer than the time between the reading of any two partitions plus the error of any process's clock. */
const LAST_DAY_SECONDS = 24 * 3600;

/** Whether other tables may lack what was written at that time, or hold what is lost. `begunAt` is the start of the export. */
export const isRecent = (at: Instant, begunAt: Instant): boolean => at >= after(begunAt, -LAST_DAY_SECONDS);

/**
 * The effects that a payment's command marks as done and whose results the export holds. Other effects of its last day are announced again,
 * and the workers detect results that exist. A voucher's outcome is always announced again, because the payment decides it.
 *
 * @param events the identifiers of the last day's events in the feeds
 */
export const doneIn = (
  { at, effects, done }: Omit<Command, "etag">,
  begunAt: Instant,
  events: ReadonlySet<string>,
): readonly string[] =>
  !isRecent(at, begunAt)
    ? done
    : done.filter((id) => !effects.some((effect) => effectId(effect) === id && isLacking(effect, events)));

function isLacking(effect: StoredEffect, events: ReadonlySet<string>): boolean {
  switch (effect.kind) {
    case "webhook":
    case "feedEntry":
      return !events.has(effect.eventId);
    case "alert": // alerts are read before payments
    case "dayUpdate": // the day may be from before the booking
    case "voucherOutcome":
      return true;
    default:
      return false;
  }
}
