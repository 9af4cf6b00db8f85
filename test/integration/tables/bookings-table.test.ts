import { expect, it } from "vitest";
import type { Booking } from "../../../shared/domain/booking.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { bookingsTable } from "../../../shared/stores/bookings.ts";
import { bookingRow } from "../../../shared/stores/keys.ts";
import { aBooking } from "../../support/a-booking.ts";
import { onBothStores } from "./stores.ts";

const [day, today] = ["2026-11-21", "2026-11-23"];
const at = "2026-11-22T12:00:00.000Z";
const key = (booking: Booking) => ({ partnerId: booking.partnerId, terminalId: booking.terminalId, day });
const other = "cccccccc-0000-4000-8000-000000000002";

onBothStores("bookings", (newTable) => {
  it("are stored once, however often they are recorded, by day and by terminal", async () => {
    const books = bookingsTable(await newTable());
    const [one, two] = [aBooking(), aBooking({ terminalId: other })];
    for (const booking of [one, two, one]) await books.record([booking], day);
    expect(await books.ofDay(one.partnerId, day)).toMatchObject({ bookings: [one, two], closedAt: undefined });
    expect(await books.ofTerminal(key(two))).toMatchObject({ bookings: [two], closedAt: undefined });
    expect(await books.ofDay("someone", day)).toMatchObject({ bookings: [], openTerminals: [], etag: undefined });
  });

  it("of a day of many terminals are all stored, in the order of their keys", async () => {
    const books = bookingsTable(await newTable());
    // Each identifier is a prefix of another, so their order differs from the order of the keys that contain them.
    const terminalIds = ["", "-", "a", "~"].flatMap((end) => Array.from({ length: 10 }, (_, i) => `T${i}${end}`));
    const bookings = terminalIds.flatMap((terminalId) => [aBooking({ terminalId }), aBooking({ terminalId })]);
    for (const booking of bookings) await books.record([booking], day);
    const read = (await books.ofDay(aBooking().partnerId, day)).bookings;
    expect(read).toEqual(bookings.toSorted((one, next) => (bookingRow(one) < bookingRow(next) ? -1 : 1)));
  });

  it("of one change are stored together", async () => {
    const books = bookingsTable(await newTable());
    const capture = aBooking();
    const correction = { ...capture, number: 2, kind: "correction", direction: "debit" } as const;
    await books.record([capture, correction], day);
    expect((await books.ofTerminal(key(capture))).bookings).toEqual([capture, correction]);
  });

  it("prevent the closing of a day that was read before them", async () => {
    const books = bookingsTable(await newTable());
    const [one, two, three] = [aBooking(), aBooking(), aBooking({ terminalId: other })];
    await books.record([one], day);
    const [terminal, file] = [await books.ofTerminal(key(one)), await books.ofDay(one.partnerId, day)];
    await books.record([two], day);
    await expect(books.closeTerminal(key(one), terminal, at)).rejects.toThrow(Conflict);
    await books.record([three], day);
    await expect(books.closeDay(one.partnerId, day, file, at)).rejects.toThrow(Conflict);
    expect((await books.ofDay(one.partnerId, day)).openTerminals.map(({ terminalId }) => terminalId)).toEqual([
      one.terminalId,
      other,
    ]);
  });

  it("that come after their terminal's closing are booked under today, and are listed under their own day", async () => {
    const books = bookingsTable(await newTable());
    const [one, late] = [aBooking(), aBooking()];
    await books.record([one], day);
    await books.closeTerminal(key(one), await books.ofTerminal(key(one)), at);
    for (const attempt of ["first", "again"]) await books.record([late], attempt === "first" ? today : "2026-11-25");
    const moved = { ...late, bookedOn: today };
    expect((await books.ofDay(one.partnerId, day)).bookings).toEqual([one]);
    expect((await books.ofDay(one.partnerId, today)).bookings).toEqual([moved]);
    expect(await books.ofTerminal(key(one))).toMatchObject({ bookings: [one, moved], closedAt: at });
    expect((await books.ofTerminal({ ...key(one), day: today })).bookings).toEqual([]);
    await books.record([one], today); // it arrived in time, and is delivered again
    expect((await books.ofTerminal(key(one))).bookings).toEqual([one, moved]);
  });

  it("are booked under the next open day if today is closed too", async () => {
    const books = bookingsTable(await newTable());
    const late = aBooking();
    for (const closed of [day, today])
      await books.closeTerminal(
        { ...key(late), day: closed },
        await books.ofTerminal({ ...key(late), day: closed }),
        at,
      );
    await books.record([late], today);
    expect((await books.ofDay(late.partnerId, "2026-11-24")).bookings).toEqual([{ ...late, bookedOn: "2026-11-24" }]);
    expect((await books.ofDay(late.partnerId, today)).bookings).toEqual([]);
  });

  it("of a terminal that had none are late once the whole day is closed", async () => {
    const books = bookingsTable(await newTable());
    const [one, late] = [aBooking(), aBooking({ terminalId: other })];
    await books.record([one], day);
    await books.closeTerminal(key(one), await books.ofTerminal(key(one)), at);
    await books.closeDay(one.partnerId, day, await books.ofDay(one.partnerId, day), at);
    await books.record([late], today);
    expect(await books.ofDay(one.partnerId, day)).toMatchObject({ bookings: [one], closedAt: at, openTerminals: [] });
    expect(await books.ofTerminal(key(late))).toMatchObject({ bookings: [{ bookedOn: today }], closedAt: at });
    expect((await books.ofDay(one.partnerId, today)).bookings).toHaveLength(1);
  });
});
