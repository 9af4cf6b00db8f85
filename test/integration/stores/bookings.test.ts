import { expect, it } from "vitest";
import type { Booking } from "../../../shared/domain/booking.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { bookingsTable } from "../../../shared/stores/bookings.ts";
import { bookingRow } from "../../../shared/stores/keys.ts";
import { terminalDaysTable } from "../../../shared/stores/terminal-days.ts";
import { aBooking } from "../../support/a-booking.ts";
import { onBothStores } from "../tables/stores.ts";

const [day, today] = ["2026-11-21", "2026-11-23"];
const at = "2026-11-22T12:00:00.000Z";
const other = "cccccccc-0000-4000-8000-000000000002";
const { terminalId } = aBooking();

/** The books on new rows. A group of bookings writes the days on what `read` found. */
function newBooks(rows: Rows) {
  const [books, days] = [bookingsTable(rows), terminalDaysTable(rows)];
  const read = async (of = terminalId, on = day) => ({
    day: on,
    read: await days.find({ terminalId: of, day: on }),
    isEntered: true,
  });
  const add = async (bookings: readonly Booking[], of = terminalId) =>
    books.add(of, { bookings, days: [await read(of)] });
  const file = (of = terminalId, on = day) => books.ofFile({ terminalId: of, day: on });
  return { books, days, read, add, file };
}

onBothStores("bookings", (newTable) => {
  it("are in the file of their terminal and day, in the order of their keys", async () => {
    const { add, file } = newBooks(await newTable());
    // Each session's name is a prefix of another, so their order differs from the order of the keys that contain them.
    const names = ["", "-", "a", "~"].flatMap((end) => Array.from({ length: 5 }, (_, i) => `S${i}${end}`));
    const all = names.map((sessionId) => aBooking({ sessionId }));
    const elsewhere = aBooking({ terminalId: other });
    for (const booking of all) await add([booking]);
    await add([elsewhere], other);
    expect(await file()).toEqual(all.toSorted((one, next) => (bookingRow(one) < bookingRow(next) ? -1 : 1)));
    expect(await file(other)).toEqual([elsewhere]);
    expect(await file(terminalId, today)).toEqual([]);
  });

  it("of one change are stored together, and each once", async () => {
    const { add, file } = newBooks(await newTable());
    const capture = aBooking();
    const correction = { ...capture, number: 2, kind: "correction", direction: "debit" } as const;
    await add([capture, correction]);
    await expect(add([aBooking(), capture])).rejects.toThrow(Conflict);
    expect(await file()).toEqual([capture, correction]);
  });

  it("that come late are in the file of a later day, and are listed under their own day", async () => {
    const { books, add, read, file } = newBooks(await newTable());
    const [one, late] = [aBooking(), { ...aBooking(), bookedOn: today }];
    await add([one]);
    await books.add(terminalId, { bookings: [late], days: [await read(), await read(terminalId, today)] });
    expect(await file()).toEqual([one]);
    expect(await file(terminalId, today)).toEqual([late]);
    expect(await books.ofBusinessDay({ terminalId, day })).toEqual([one, late]);
    expect(await books.ofBusinessDay({ terminalId, day: today })).toEqual([]);
  });

  it("enter no day that was closed since it was read, also not the first ones of that day", async () => {
    for (const before of [[], [aBooking()]]) {
      const { books, days, add, read, file } = newBooks(await newTable());
      if (before.length > 0) await add(before);
      const seen = await read();
      await days.closeBooks({ terminalId, day }, at, seen.read);
      await expect(books.add(terminalId, { bookings: [aBooking()], days: [seen] })).rejects.toThrow(Conflict);
      expect(await file()).toEqual(before);
    }
  });

  it("prevent the closing of a day that was read before them", async () => {
    const { days, add, read } = newBooks(await newTable());
    for (const booking of [aBooking(), aBooking()]) {
      const seen = await read();
      await add([booking]);
      await expect(days.closeBooks({ terminalId, day }, at, seen.read)).rejects.toThrow(Conflict);
    }
    expect((await read()).read?.closedAt).toBeUndefined();
  });
});
