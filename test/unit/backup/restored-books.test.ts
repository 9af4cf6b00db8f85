import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { toSettlementObject } from "../../../shared/contracts/objects/settlement.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { BOOKING_PREFIX, LATE_BOOKING_PREFIX, TERMINAL_DAY_PREFIX } from "../../../shared/stores/keys.ts";
import { approval } from "../../support/a-payment.ts";
import { callBy } from "../../support/platform.ts";
import { settlementOf } from "../../support/settlement.ts";
import { aRestorable, authorized, copyOf, withLater, withLaterPayments } from "./a-restorable.ts";

const DAY = 24 * 3600;
const [first, second, third] = ["2026-11-21", "2026-11-24", "2026-11-25"] as const;

/** A platform with its books, as an accountant reads them by day. */
async function aBookkeeper() {
  const restorable = await aRestorable();
  const { deps } = restorable.platform;
  const read = (date: string) => settlementOf(deps, callBy(deps), date);
  return {
    ...restorable,
    read,
    /** Both forms of the day, as they are sent. */
    file: async (date: string) => {
      const settlement = await read(date);
      return [JSON.stringify(toSettlementObject(settlement)), toSettlementFile(settlement)];
    },
    /** Refunds a part of a payment. Its terminal reports the refund under this day. */
    async givesBack(payment: Awaited<ReturnType<typeof authorized>>, businessDay: string): Promise<void> {
      await payment.refund(25, { idempotencyKey: randomUUID() });
      await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId, businessDay });
      await restorable.platform.pass();
    },
  };
}

it("a closed day's file has the same bytes after a restore, late bookings stay under their day, and none is duplicated", async () => {
  const bookkeeper = await aBookkeeper();
  const { exportAll, file, givesBack, platform, read, restore } = bookkeeper;
  const paid = await authorized(bookkeeper, { captureMode: "automatic" });
  await platform.pass(3 * DAY);
  await givesBack(paid, first);
  await platform.pass(DAY);
  const closed = await file(first);
  expect(await read(first)).toMatchObject({
    isClosed: true,
    bookings: [{ kind: "capture" }, { kind: "refund", businessDay: first }],
  });
  await givesBack(paid, first); // late
  const [open] = (await read(third)).bookings;
  expect(open).toMatchObject({ kind: "refund", businessDay: first, bookedOn: third });
  const before = await file(third);

  await exportAll();
  await restore();
  expect(await file(first)).toEqual(closed);
  expect(await file(third)).toEqual(before);
  expect((await read(second)).bookings).toEqual([]);

  await givesBack(paid, first);
  expect(await file(first)).toEqual(closed);
  expect((await read(third)).bookings).toHaveLength(2);
});

describe("after a failover, whose rows are of different moments,", () => {
  const books = [BOOKING_PREFIX, LATE_BOOKING_PREFIX];

  it("a booking that the export lacks is booked once, and opens its day", async () => {
    const bookkeeper = await aBookkeeper();
    const { exportAll, platform, read, restore, whole } = bookkeeper;
    const then = await copyOf(whole().terminals);
    const { terminalId } = await (await authorized(bookkeeper, { captureMode: "automatic" })).now();
    await exportAll({ ...whole(), terminals: withLaterPayments(then, whole().terminals) });
    await restore();
    await platform.pass(300);
    expect((await read(first)).bookings).toMatchObject([{ kind: "capture", amount: 12_550 }]);
    const day = await platform.deps.terminalDays.find({ terminalId, day: first });
    expect(day).toMatchObject({ terminalDay: { status: "open" } });
  });

  it("a late booking that the export lacks comes into its file, and under its business day", async () => {
    const bookkeeper = await aBookkeeper();
    const { exportAll, givesBack, platform, read, restore, whole } = bookkeeper;
    const paid = await authorized(bookkeeper, { captureMode: "automatic" });
    await platform.pass(4 * DAY);
    expect(await read(first)).toMatchObject({ isClosed: true });
    const then = await copyOf(whole().terminals);
    await givesBack(paid, first);
    await exportAll({ ...whole(), terminals: withLaterPayments(then, whole().terminals) });
    await restore();
    const late = { kind: "refund", businessDay: first, bookedOn: third };
    expect((await read(third)).bookings).toMatchObject([late]);
    const { terminalId } = await paid.now();
    const ofDay = await platform.deps.bookings.ofBusinessDay({ terminalId, day: first });
    expect(ofDay).toMatchObject([{ kind: "capture" }, late]);
  });

  it("a closed day keeps its file, although the terminal lacks a booking in it", async () => {
    const bookkeeper = await aBookkeeper();
    const { exportAll, file, givesBack, platform, read, restore, whole } = bookkeeper;
    const paid = await authorized(bookkeeper, { captureMode: "automatic" });
    await platform.pass(3 * DAY);
    const then = await copyOf(whole().terminals);
    await givesBack(paid, first);
    await platform.pass(DAY - 3600);
    const closed = await file(first);
    expect(await read(first)).toMatchObject({ isClosed: true, bookings: [{ kind: "capture" }, { kind: "refund" }] });
    await exportAll({ ...whole(), terminals: withLaterPayments(then, whole().terminals) });
    await restore();
    expect(await file(first)).toEqual(closed);
    await givesBack(paid, first);
    expect(await file(first)).toEqual(closed);
    expect((await read(third)).bookings).toMatchObject([{ kind: "refund", businessDay: first, bookedOn: third }]);
  });

  it("a closed day keeps its file, although the change of a booking in it is lost", async () => {
    const bookkeeper = await aBookkeeper();
    const { exportAll, file, givesBack, platform, read, restore, whole } = bookkeeper;
    const paid = await authorized(bookkeeper, { captureMode: "automatic" });
    await platform.pass(3 * DAY);
    const then = await copyOf(whole().terminals);
    await givesBack(paid, first);
    await platform.pass(DAY - 3600);
    const closed = await file(first);
    const terminals = withLater(then, whole().terminals, [...books, TERMINAL_DAY_PREFIX]);
    await exportAll({ ...whole(), terminals });
    await restore();
    expect((await paid.now()).refunds).toEqual([]);
    expect((await read(first)).bookings).toHaveLength(2);
    expect(await file(first)).toEqual(closed);
  });

  it("a booking of a lost change leaves the file of an open day", async () => {
    const bookkeeper = await aBookkeeper();
    const { exportAll, platform, read, restore, whole } = bookkeeper;
    const payment = await authorized(bookkeeper);
    const then = await copyOf(whole().terminals);
    await payment.capture();
    await platform.pass();
    await payment.sendReport("captured", { ...approval, messageId: (await payment.fetch())?.messageId });
    await platform.pass(60);
    expect((await read(first)).bookings).toMatchObject([{ kind: "capture" }]);
    await exportAll({ ...whole(), terminals: withLater(then, whole().terminals, [...books, TERMINAL_DAY_PREFIX]) });
    await restore();
    expect((await read(first)).bookings).toEqual([]);
  });
});
