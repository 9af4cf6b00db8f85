import { describe, expect, it } from "vitest";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { bookingsTable } from "../../../shared/stores/bookings.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { aBooking } from "../../support/a-booking.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { callBy, type Platform } from "../../support/platform.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const { partnerId } = aBooking();
const day = "2026-11-21";
const read = (rows: Rows, now: string, caller: { terminalIds?: string[] } = {}) =>
  readSettlement(
    { bookings: bookingsTable(rows) },
    { now: () => now, newId: () => "", caller: { partnerId, keyId: "k1", ...caller } },
    day,
  );
const file = async (rows: Rows, now: string): Promise<string> => toSettlementFile(await read(rows, now));

describe("a day's settlement", () => {
  it("is open until three days after the day, and unchanged forever after it was read as closed", async () => {
    const rows = inMemoryRows();
    const books = bookingsTable(rows);
    await books.record([aBooking()], day);
    expect((await read(rows, "2026-11-24T23:59:59.999Z")).isClosed).toBe(false);
    await books.record([aBooking()], "2026-11-24");
    const closed = await file(rows, "2026-11-25T00:00:00.000Z");
    expect(closed).toContain("day,2026-11-21,closed");
    await books.record([aBooking()], "2026-11-25");
    await books.record([aBooking({ terminalId: "cccccccc-0000-4000-8000-000000000002" })], "2026-11-25");
    expect(await file(rows, "2026-11-30T00:00:00.000Z")).toBe(closed);
  });

  it("is closed with its last terminal, once the day is over in every time zone", async () => {
    const rows = inMemoryRows();
    const books = bookingsTable(rows);
    const [one, two] = [aBooking(), aBooking({ terminalId: "cccccccc-0000-4000-8000-000000000002" })];
    for (const booking of [one, two]) await books.record([booking], day);
    const close = async ({ terminalId }: Booking) => {
      const key = { partnerId, terminalId, day };
      await books.closeTerminal(key, await books.ofTerminal(key), "2026-11-21T22:00:00.000Z");
    };
    await close(one);
    expect((await read(rows, "2026-11-22T12:00:00.000Z")).isClosed).toBe(false);
    await close(two);
    expect((await read(rows, "2026-11-22T11:59:59.999Z")).isClosed).toBe(false);
    expect(await read(rows, "2026-11-22T12:00:00.000Z")).toMatchObject({
      isClosed: true,
      closedAt: "2026-11-22T12:00:00.000Z",
    });
  });

  it("without bookings is open for three days, and then closed; long past it is closed without a row", async () => {
    const rows = inMemoryRows();
    expect((await read(rows, "2026-11-24T00:00:00.000Z")).isClosed).toBe(false);
    expect((await read(rows, "2026-12-24T00:00:00.000Z")).isClosed).toBe(true);
    expect(await rows.withPrefix("days", "")).toEqual([]);
    expect((await read(rows, "2026-11-25T00:00:00.000Z")).isClosed).toBe(true);
    expect(await rows.withPrefix("days", "")).toHaveLength(1);
  });

  it("of a day long past gets no more bookings, whether or not it was closed: they are booked late", async () => {
    const books = bookingsTable(inMemoryRows());
    const late = aBooking();
    await books.record([late], "2026-12-06");
    expect((await books.ofDay(partnerId, day)).bookings).toEqual([]);
    expect((await books.ofDay(partnerId, "2026-12-06")).bookings).toEqual([{ ...late, bookedOn: "2026-12-06" }]);
  });

  it("shows a key the bookings of the terminals that it reaches", async () => {
    const rows = inMemoryRows();
    const [one, two] = [aBooking(), aBooking({ terminalId: "cccccccc-0000-4000-8000-000000000002" })];
    for (const booking of [one, two]) await bookingsTable(rows).record([booking], day);
    const { bookings } = await read(rows, "2026-11-21T12:00:00.000Z", { terminalIds: [two.terminalId] });
    expect(bookings).toEqual([two]);
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
    const plain = inMemoryRows();
    const rows = troubledRows(plain, random);
    const books = bookingsTable(rows);
    const terminals = ["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"] as const;
    const all = Array.from({ length: 12 }, () => aBooking({ terminalId: random.pick(...terminals) }));
    let today = "2026-11-24";
    /** Delivers a booking until its worker reports that it is done, as the queue does. */
    const deliver = async (booking: Booking): Promise<void> => {
      for (;;) {
        try {
          return await retryOnConflict(() => books.record([booking], today));
        } catch {
          await Promise.resolve();
        }
      }
    };
    const closed = new Map<string, string>();
    const close = async (): Promise<void> => {
      today = random.pick("2026-11-24", "2026-11-25", "2026-11-26");
      const now = random.pick("2026-11-24T10:00:00.000Z", "2026-11-25T00:00:00.000Z");
      const terminalId = random.pick(...terminals);
      const closing = random.pick(day, "2026-11-25");
      const key = { partnerId, terminalId, day: closing };
      await books.closeTerminal(key, await books.ofTerminal(key), now).catch(() => {});
      const seen = await read(rows, now).catch(() => undefined);
      if (!seen?.isClosed) return;
      const text = toSettlementFile(seen);
      expect(closed.get(day) ?? text, `seed ${seed}`).toBe(text);
      closed.set(day, text);
    };
    const acts = [...all, ...all].map((booking) => () => deliver(booking));
    await Promise.all([...acts, close, close, close, close].toSorted(() => random.next() - 0.5).map((act) => act()));
    for (const booking of all) await deliver(booking);
    const files = await Promise.all(
      Array.from({ length: 10 }, (_, i) => bookingsTable(plain).ofDay(partnerId, `2026-11-${21 + i}`)),
    );
    const found = files.flatMap(({ bookings }) => bookings);
    expect(found.map(({ sessionId }) => sessionId).toSorted(), `seed ${seed}`).toEqual(
      all.map(({ sessionId }) => sessionId).toSorted(),
    );
    late += found.filter(({ bookedOn }) => bookedOn !== undefined).length;
    const text = closed.get(day);
    if (text !== undefined) expect(await file(plain, "2026-12-01T00:00:00.000Z"), `seed ${seed}`).toBe(text);
  }
  expect(late).toBeGreaterThan(100);
});

it("a conflict is not hidden: a refused booking is not stored", async () => {
  const rows = inMemoryRows();
  const refusing: Rows = {
    ...rows,
    submit: async (partition, operations) => {
      if (partition.includes("~")) throw new Conflict("UpdateConditionNotSatisfied");
      return rows.submit(partition, operations);
    },
  };
  const booking = aBooking();
  await expect(bookingsTable(refusing).record([booking], day)).rejects.toThrow(Conflict);
  expect((await bookingsTable(rows).ofDay(partnerId, day)).bookings).toEqual([]);
});

describe("a payment's movements", () => {
  const settled = (platform: Platform, on: string) => readSettlement(platform.deps, callBy(platform.deps), on);

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
