import { firstClosing } from "../../domain/booking.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import { Conflict } from "../../ports/failures.ts";
import { queueOf } from "../../ports/queues.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import type { PartnerDayKey } from "../../ports/subjects.ts";
import type { DayTerminal } from "../../stores/partner-days.ts";
import type { Needs } from "../needs.ts";

/**
 * Enters a terminal in its partner's day before its first booking. False if the day is closed or being closed. The entry is written before
 * the day is read. So a closing that begins later finds it, and terminals that begin a day at the same moment do not wait for each other.
 *
 * @param announce announces the closing of a day that has no row yet
 */
export async function enterDay(
  { partnerDays }: Needs<"partnerDays">,
  key: PartnerDayKey,
  terminal: Omit<DayTerminal, "totals">,
  announce: () => Promise<void>,
): Promise<boolean> {
  await partnerDays.enter(key, terminal);
  const read = await partnerDays.find(key);
  if (read) return read.state === "open";
  await announce();
  try {
    await partnerDays.open(key);
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return (await partnerDays.find(key))?.state === "open";
  }
}

/** A look at the closing of a partner's day. It has no command: the day shows by itself whether it is to be closed. */
export const closingLook = ({ partnerId, day }: PartnerDayKey, at: Instant): Announcement => ({
  v: newestVersion,
  subject: { kind: "partnerDay", partnerId, day },
  effect: "look",
  at,
});

/** Announces the first look at the closing of a partner's day. */
export const announceClosing = ({ announcements }: Needs<"announcements">, key: PartnerDayKey): Promise<void> =>
  announcements.send(queueOf.look, closingLook(key, firstClosing(key.day)), firstClosing(key.day));
