import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { toSettlementObject } from "../../../shared/contracts/objects/settlement.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { approval } from "../../support/a-payment.ts";
import { callBy } from "../../support/platform.ts";
import { aRestorable, authorized, copyOf } from "./a-restorable.ts";

const DAY = 24 * 3600;
const [first, second, third] = ["2026-11-21", "2026-11-24", "2026-11-25"] as const;

/** A platform with its books, as an accountant reads them by day. */
async function aBookkeeper() {
  const restorable = await aRestorable();
  const { deps } = restorable.platform;
  const read = (date: string) => readSettlement(deps, callBy(deps), date);
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

it("a booking whose message was lost with the queues is booked after a restore, once", async () => {
  const bookkeeper = await aBookkeeper();
  const { exportAll, platform, read, restore } = bookkeeper;
  await authorized(bookkeeper, { captureMode: "automatic" });
  await exportAll(); // the workers have not carried out any work yet
  await restore();
  await platform.pass(300);
  expect((await read(first)).bookings).toMatchObject([{ kind: "capture", amount: 12_550 }]);
});

it("a day that is closed while its payment is exported keeps the booking that the payment does not mark as done yet", async () => {
  const bookkeeper = await aBookkeeper();
  const { exportAll, file, platform, read, restore, whole } = bookkeeper;
  await platform.pass(DAY);
  const payment = await authorized(bookkeeper, { captureMode: "automatic" });
  await platform.pass(2 * DAY + 13.9 * 3600); // minutes before the day can be closed
  await payment.refund(25);
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("refunded", { messageId, businessDay: first }, "wait");
  const terminals = await copyOf(whole().terminals);
  await platform.pass(900);
  const closed = await file(first);
  expect(await read(first)).toMatchObject({ isClosed: true, bookings: [{ kind: "refund" }] });
  await exportAll({ ...whole(), terminals });
  await restore();
  await platform.pass(300);
  expect(await file(first)).toEqual(closed);
  expect((await read(third)).bookings).toEqual([]);
});

it("a late booking that its payment does not mark as done yet is booked once after a restore", async () => {
  const bookkeeper = await aBookkeeper();
  const { exportAll, file, platform, read, restore, whole } = bookkeeper;
  const payment = await authorized(bookkeeper, { captureMode: "automatic" });
  await platform.pass(4 * DAY);
  const closed = await file(first);
  await payment.refund(25);
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("refunded", { messageId, businessDay: first }, "wait");
  const terminals = await copyOf(whole().terminals);
  await platform.pass(300);
  const late = [{ kind: "refund", businessDay: first, bookedOn: third }];
  expect((await read(third)).bookings).toMatchObject(late);
  await exportAll({ ...whole(), terminals });
  await restore();
  await platform.pass(300);
  expect(await file(first)).toEqual(closed);
  expect((await read(third)).bookings).toMatchObject(late);
});

it("a booking of a change that the export does not hold is not restored", async () => {
  const bookkeeper = await aBookkeeper();
  const { exportAll, platform, read, restore, whole } = bookkeeper;
  const payment = await authorized(bookkeeper);
  const terminals = await copyOf(whole().terminals);
  await payment.capture();
  await platform.pass();
  await payment.sendReport("captured", { ...approval, messageId: (await payment.fetch())?.messageId });
  await platform.pass(60);
  expect((await read(first)).bookings).toMatchObject([{ kind: "capture" }]);
  await exportAll({ ...whole(), terminals });
  await restore();
  expect((await read(first)).bookings).toEqual([]);
});
