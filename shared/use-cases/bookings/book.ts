import { dayAfter, isLongPast, type Booking } from "../../domain/booking.ts";
import { movementsOf } from "../../domain/terminal-day/totals.ts";
import { later, type Day } from "../../domain/time.ts";
import type { Booked, DayBooked } from "../../stores/bookings.ts";
import type { StoredDay } from "../../stores/terminal-days.ts";
import type { Needs } from "../needs.ts";
import { announceClosing, enterDay } from "./enter-day.ts";

export type BookDeps = Needs<"announcements" | "partnerDays" | "terminalDays">;

/** The rows that a change writes for its bookings, and the business days that must be opened, or compared with their totals again. */
export interface BookedChange {
  readonly booked: Booked;
  readonly updates: readonly Day[];
}

/**
 * Finds the file of each booking of a change: its business day or, if that is closed, the first open day from today on. Enters the terminal
 * in its partner's day before the first booking of that day. The change must write the days as they were read here. Throws `Unavailable`.
 *
 * @param made bookings of one terminal
 */
export async function book(deps: BookDeps, made: readonly Booking[], today: Day): Promise<BookedChange> {
  const days = new Map<Day, DayBooked>();
  const bookings: Booking[] = [];
  const updates: Day[] = [];
  for (const [businessDay, ofDay] of Map.groupBy(made, (booking) => booking.businessDay)) {
    const [first] = ofDay;
    if (!first) continue;
    const own = await readDay(deps, first, businessDay, days);
    days.set(businessDay, own);
    const file = await firstOpenDay(deps, first, today, days);
    days.set(file.day, file);
    bookings.push(...(file.day === businessDay ? ofDay : ofDay.map((booking) => ({ ...booking, bookedOn: file.day }))));
    const { terminalDay } = own.read ?? {};
    const isUpdated = terminalDay === undefined || terminalDay.closing !== undefined;
    if (isUpdated && movementsOf(ofDay).length > 0) updates.push(businessDay);
  }
  return { booked: { bookings, days: [...days.values()] }, updates };
}

type OfTerminal = Pick<Booking, "partnerId" | "terminalId" | "merchantId" | "businessDay">;

/** The day under which the booking comes. The terminal is entered in it. */
async function firstOpenDay(
  deps: BookDeps,
  of: OfTerminal,
  today: Day,
  known: ReadonlyMap<Day, DayBooked>,
): Promise<DayBooked> {
  for (let day = isLongPast(of.businessDay, today) ? today : of.businessDay; ; day = later(today, dayAfter(day))) {
    const read = await readDay(deps, of, day, known);
    if (read.read?.closedAt !== undefined) continue;
    const { partnerId, terminalId, merchantId } = of;
    const key = { partnerId, day };
    const announce = () => announceClosing(deps, key);
    if (read.isEntered || (await enterDay(deps, key, { terminalId, merchantId }, announce)))
      return { ...read, isEntered: true };
  }
}

async function readDay(
  { terminalDays }: BookDeps,
  { terminalId }: OfTerminal,
  day: Day,
  known: ReadonlyMap<Day, DayBooked>,
): Promise<DayBooked> {
  const before = known.get(day);
  if (before) return before;
  const read: StoredDay | undefined = await terminalDays.find({ terminalId, day });
  return { day, read, isEntered: read?.isEntered ?? false };
}
