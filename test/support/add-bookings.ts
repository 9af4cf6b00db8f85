import type { Booking } from "../../shared/domain/booking.ts";
import type { Day } from "../../shared/domain/time.ts";
import type { TablePorts } from "../../shared/stores/stores.ts";
import { book, type BookedChange } from "../../shared/use-cases/bookings/book.ts";
import { retryOnConflict } from "../../shared/use-cases/outbox/retry-on-conflict.ts";

type Books = Pick<TablePorts, "bookings" | "partnerDays" | "terminalDays">;

/**
 * Books movements of one terminal on this day, as a change of their payment does in its group.
 *
 * @returns the business days that must be opened, or compared again
 */
export const addBookings = (books: Books, made: readonly Booking[], today: Day): Promise<BookedChange["updates"]> =>
  retryOnConflict(async () => {
    const [first] = made;
    const { booked, updates } = await book({ announcements: { send: async () => {} }, ...books }, made, today);
    if (first) await books.bookings.add(first.terminalId, booked);
    return updates;
  });
