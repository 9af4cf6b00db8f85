import { sumOf, totalsOf, type BookingTotal } from "../../domain/booking.ts";
import type { TerminalDayKey } from "../../ports/subjects.ts";
import { placeInFile } from "../../stores/keys.ts";
import type { Needs } from "../needs.ts";

/** The most bookings that are held at once. */
const AT_ONCE = 1_000;

/** The totals of a terminal's file of one day. Reads it in parts, because a day may have tens of thousands of bookings. */
export async function totalsOfFile(
  { bookings }: Needs<"bookings">,
  key: Pick<TerminalDayKey, "terminalId" | "day">,
): Promise<readonly BookingTotal[]> {
  let totals: readonly BookingTotal[] = [];
  for (let place = ""; ;) {
    const found = await bookings.ofFile(key, { place, atMost: AT_ONCE });
    totals = sumOf([...totals, ...totalsOf(found)]);
    const [last] = found.slice(-1);
    if (!last || found.length < AT_ONCE) return totals;
    place = placeInFile(last);
  }
}
