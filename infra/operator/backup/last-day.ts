import type { EventEnvelope } from "../../../shared/contracts/events/events.ts";
import { bookingRecord, type Booking } from "../../../shared/domain/booking.ts";
import { effectId, type StoredEffect } from "../../../shared/domain/effects.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";
import { feedEventRecord } from "../../../shared/stores/feeds.ts";
import { BOOKING_PREFIX, FEED_EVENT_PREFIX, LATE_BOOKING_PREFIX } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";

// The tables of an export are of different moments. After a failover, the surviving tables have no guaranteed order either. So a payment's
// command may mark an effect as done whose result another table does not hold yet.

/** Longer than the time between the reading of any two partitions plus the error of any process's clock. */
const LAST_DAY_SECONDS = 24 * 3600;

/** Whether other tables may lack what was written at that time, or hold what is lost. `begunAt` is the start of the export. */
export const isRecent = (at: Instant, begunAt: Instant): boolean => at >= after(begunAt, -LAST_DAY_SECONDS);

/** The events of the export's last day. */
export interface LastDay {
  readonly begunAt: Instant;
  /** The identifiers of the events in feeds. */
  readonly events: Set<string>;
}

export const emptyLastDay = (begunAt: Instant): LastDay => ({ begunAt, events: new Set() });

/** Adds the event in a row of a feed. */
export function addFeedRow({ begunAt, events }: LastDay, row: PlainRow): void {
  if (!row.rowKey.startsWith(FEED_EVENT_PREFIX)) return;
  const { enteredAt, body } = fromRow(withoutEtag(row), feedEventRecord);
  if (isRecent(enteredAt, begunAt)) events.add((JSON.parse(body) as EventEnvelope<unknown>).id);
}

/** The booking in a row of the books. Undefined for any other row. */
export const bookingIn = (row: PlainRow): Booking | undefined =>
  [BOOKING_PREFIX, LATE_BOOKING_PREFIX].some((prefix) => row.rowKey.startsWith(prefix))
    ? fromRow(withoutEtag(row), bookingRecord)
    : undefined;

/**
 * The effects that a payment's command marks as done and whose results the export holds. Other effects of its last day are announced again,
 * and the workers detect results that exist. A voucher's outcome is always announced again, because the payment decides it.
 */
export const doneIn = ({ at, effects, done }: Omit<Command, "etag">, lastDay: LastDay): readonly string[] =>
  !isRecent(at, lastDay.begunAt)
    ? done
    : done.filter((id) => !effects.some((effect) => effectId(effect) === id && isLacking(effect, lastDay)));

function isLacking(effect: StoredEffect, { events }: LastDay): boolean {
  switch (effect.kind) {
    case "webhook":
      return !events.has(effect.eventId);
    case "dayUpdate": // the day may be from before the booking
    case "voucherOutcome":
      return true;
    default:
      return false;
  }
}
