import { describe, expect, it } from "vitest";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import { bookingRows } from "../../../shared/stores/bookings.ts";
import { paymentRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { eachTable, tablePorts, type TablePorts } from "../../../shared/stores/stores.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { book } from "../../../shared/use-cases/bookings/book.ts";
import { aBooking } from "../../support/a-booking.ts";
import { addBookings } from "../../support/add-bookings.ts";
import { allRows } from "../../support/all-rows.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { callBy, type Platform } from "../../support/platform.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { lookAtSettlement, settlementOf } from "../../support/settlement.ts";

const { partnerId, terminalId } = aBooking();
const secondTerminal = "cccccccc-0000-4000-8000-000000000002";
const day = "2026-11-21";
const newBooks = () => tablePorts(eachTable(() => inMemoryRows()));
/** The settlement after the platform's look at this moment. */
async function read(books: TablePorts, now: string, caller: { terminalIds?: string[] } = {}) {
  await lookAtSettlement(books, { partnerId, day }, now);
  return settlementOf(books, { now: () => now, caller: { partnerId, keyId: "k1", ...caller } }, day);
}
const file = async (books: TablePorts, now: string): Promise<string> => toSettlementFile(await read(books, now));
const fileOf = ({ bookings }: TablePorts, of: string, terminal = terminalId) =>
  bookings.ofFile({ terminalId: terminal, day: of });

/** Closes the day at a terminal, as its totals do. */
async function closeTerminal(books: TablePorts, of: string, closedAt: string, terminal = terminalId) {
  const key = { terminalId: terminal, day: of };
  await books.terminalDays.closeBooks(key, closedAt, await books.terminalDays.find(key));
}

describe("a day's settlement", () => {
  it("is open until three days after the day, and unchanged forever after it was read as closed", async () => {
    const books = newBooks();
    await addBookings(books, [aBooking()], day);
    expect((await read(books, "2026-11-24T23:59:59.999Z")).isClosed).toBe(false);
    await addBookings(books, [aBooking()], "2026-11-24");
    const closed = await file(books, "2026-11-25T00:00:00.000Z");
    expect(closed).toContain("day,2026-11-21,closed");
    await addBookings(books, [aBooking()], "2026-11-25");
    await addBookings(books, [aBooking({ terminalId: secondTerminal })], "2026-11-25");
    expect(await file(books, "2026-11-30T00:00:00.000Z")).toBe(closed);
  });

  it("is closed with its last terminal, once the day is over in every time zone", async () => {
    const books = newBooks();
    for (const terminal of [terminalId, secondTerminal])
      await addBookings(books, [aBooking({ terminalId: terminal })], day);
    await closeTerminal(books, day, "2026-11-21T22:00:00.000Z");
    expect((await read(books, "2026-11-22T12:00:00.000Z")).isClosed).toBe(false);
    await closeTerminal(books, day, "2026-11-21T22:00:00.000Z", secondTerminal);
    expect((await read(books, "2026-11-22T11:59:59.999Z")).isClosed).toBe(false);
    expect(await read(books, "2026-11-22T12:00:00.000Z")).toMatchObject({
      isClosed: true,
      closedAt: "2026-11-22T12:00:00.000Z",
    });
  });

  it("without bookings is open for a month, and then closed; nothing is written", async () => {
    const days = inMemoryRows();
    const books = tablePorts({ ...eachTable(() => inMemoryRows()), days });
    const listed = () => days.withPrefix("days", "");
    expect((await read(books, "2026-11-24T00:00:00.000Z")).isClosed).toBe(false);
    expect((await read(books, "2026-11-25T00:00:00.000Z")).isClosed).toBe(false);
    expect((await read(books, "2026-12-24T00:00:00.000Z")).isClosed).toBe(true);
    expect(await listed()).toEqual([]);
  });

  it("of a day long past gets no more bookings, whether or not it was closed: they are booked late", async () => {
    const books = newBooks();
    const late = aBooking();
    await addBookings(books, [late], "2026-12-06");
    expect(await fileOf(books, day)).toEqual([]);
    expect(await fileOf(books, "2026-12-06")).toEqual([{ ...late, bookedOn: "2026-12-06" }]);
  });

  it("shows a key the bookings of the terminals that it reaches", async () => {
    const books = newBooks();
    const [one, two] = [aBooking(), aBooking({ terminalId: secondTerminal })];
    for (const booking of [one, two]) await addBookings(books, [booking], day);
    const { bookings } = await read(books, "2026-11-21T12:00:00.000Z", { terminalIds: [two.terminalId] });
    expect(bookings).toEqual([two]);
  });

  it("has the first money of all terminals of a partner, if they report it at the same moment", async () => {
    const books = newBooks();
    const all = Array.from({ length: 20 }, (_, i) => aBooking({ terminalId: `terminal-${i}` }));
    await Promise.all(all.map((booking) => addBookings(books, [booking], day)));
    const { bookings } = await read(books, "2026-11-21T12:00:00.000Z");
    expect(bookings.map(({ sessionId }) => sessionId).toSorted()).toEqual(all.map((one) => one.sessionId).toSorted());
  });

  it("whose closing died at any write is closed by the next look, and has later money of no terminal", async () => {
    for (let writes = 0; ; writes++) {
      const rows = allRows();
      const books = tablePorts(eachTable((table) => rows.open(table)));
      const early = [aBooking(), aBooking({ terminalId: secondTerminal })];
      for (const booking of early) await addBookings(books, [booking], day);
      rows.cutAfter(writes);
      const ended = await read(books, "2026-11-25T00:00:00.000Z").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      const closed = await file(books, "2026-11-25T00:01:00.000Z");
      for (const terminal of [terminalId, secondTerminal, "another-terminal"])
        await addBookings(books, [aBooking({ terminalId: terminal })], "2026-11-25");
      expect(await file(books, "2026-12-01T00:00:00.000Z"), `cut after ${writes}`).toBe(closed);
      expect((await read(books, "2026-12-01T00:00:00.000Z")).bookings).toEqual(early);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });
});

/** Rows with random failures: a write happens and its response is lost, or it does not happen. Other writers act between the calls. */
function troubledRows(rows: Rows, random: ReturnType<typeof seededRandom>): Rows {
  const pause = async () => {
    for (let i = random.between(0, 3); i > 0; i--) await Promise.resolve();
  };
  const chance = async <T>(act: () => Promise<T>): Promise<T> => {
    await pause();
    if (random.chance(0.05)) throw new Error("the process ended before");
    const done = await act();
    await pause();
    if (random.chance(0.05)) throw new Error("the process ended after");
    return done;
  };
  return {
    ...rows,
    get: async (...given) => {
      await pause();
      const row = await rows.get(...given);
      await pause();
      return row;
    },
    withPrefix: async (...given) => {
      await pause();
      return rows.withPrefix(...given);
    },
    submit: (...given) => chance(() => rows.submit(...given)),
  };
}

it("two hosts that book, repeat, close and die at any write leave each booking in one file, and no closed file changes", async () => {
  let late = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededRandom(seed);
    const tables = eachTable(() => inMemoryRows());
    const plain = tablePorts(tables);
    const troubled = eachTable((table) => troubledRows(tables[table], random));
    const [books, terminalRows] = [tablePorts(troubled), troubled.terminals];
    const terminals = [terminalId, secondTerminal] as const;
    const all = Array.from({ length: 12 }, () => aBooking({ terminalId: random.pick(...terminals) }));
    let today = "2026-11-24";
    /** Books a movement with its payment's row, as a change does that is tried again until it is committed. */
    const deliver = async (booking: Booking): Promise<void> => {
      for (;;) {
        try {
          const partition = terminalPartition(booking.terminalId);
          const rowKey = paymentRow(booking);
          if (await terminalRows.get(partition, rowKey)) return;
          const { booked } = await book({ ...books, announcements: { send: async () => {} } }, [booking], today);
          await terminalRows.submit(partition, [{ kind: "insert", rowKey, columns: {} }, ...bookingRows(booked)]);
        } catch {
          await Promise.resolve();
        }
      }
    };
    const closed = new Map<string, string>();
    const close = async (): Promise<void> => {
      today = random.pick("2026-11-24", "2026-11-25", "2026-11-26");
      const now = random.pick("2026-11-24T10:00:00.000Z", "2026-11-25T00:00:00.000Z");
      const closing = random.pick(day, "2026-11-25");
      await closeTerminal(books, closing, now, random.pick(...terminals)).catch(() => {});
      const seen = await read(books, now).catch(() => undefined);
      if (!seen?.isClosed) return;
      const text = toSettlementFile(seen);
      expect(closed.get(day) ?? text, `seed ${seed}`).toBe(text);
      closed.set(day, text);
    };
    const acts = [...all, ...all].map((booking) => () => deliver(booking));
    await Promise.all([...acts, close, close, close, close].toSorted(() => random.next() - 0.5).map((act) => act()));
    for (const booking of all) await deliver(booking);
    const files = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        terminals.map((terminal) => fileOf(plain, `2026-11-${21 + i}`, terminal)),
      ).flat(),
    );
    const found = files.flat();
    expect(found.map(({ sessionId }) => sessionId).toSorted(), `seed ${seed}`).toEqual(
      all.map(({ sessionId }) => sessionId).toSorted(),
    );
    late += found.filter(({ bookedOn }) => bookedOn !== undefined).length;
    const text = closed.get(day);
    if (text !== undefined) expect(await file(plain, "2026-12-01T00:00:00.000Z"), `seed ${seed}`).toBe(text);
  }
  expect(late).toBeGreaterThan(100);
});

describe("a payment's movements", () => {
  const settled = (platform: Platform, on: string) => settlementOf(platform.deps, callBy(platform.deps), on);

  it("are in the settlement of the day that its terminal named", async () => {
    const { platform, ...payment } = await aPayment({ captureMode: "automatic" });
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", { ...approval, businessDay: "2026-11-20" });
    const refundId = "99999999-0000-4000-8000-000000000001";
    await payment.refund(10, { refundId });
    await payment.sendReport("refunded", { refundId, amount: 1_000, currency: "SEK" });
    const { bookings: before } = await settled(platform, "2026-11-20");
    expect(before).toMatchObject([{ kind: "capture", direction: "credit", amount: 12_550, businessDay: "2026-11-20" }]);
    const { bookings } = await settled(platform, "2026-11-21");
    expect(bookings).toMatchObject([{ kind: "refund", direction: "debit", amount: 1_000, businessDay: "2026-11-21" }]);
  });
});
