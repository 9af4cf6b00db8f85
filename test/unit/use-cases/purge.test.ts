import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { checkedDays } from "../../../shared/use-cases/operator/retention/purge.ts";
import { aBooking } from "../../support/a-booking.ts";
import { addBookings } from "../../support/add-bookings.ts";
import { callBy, type Platform } from "../../support/platform.ts";
import { DAY, aCaptured, aWorld, plan, run } from "../../support/purging.ts";
import { settlementOf } from "../../support/settlement.ts";

describe("purging bookings", () => {
  const days = retentionTable.bookings.days;
  const booked = "2026-11-21";
  const next = "2026-11-22";
  const ofBookings = (all: readonly string[]) =>
    all.filter((row) => /^(days|terminals \S+ (booking|late|day)~)/.test(row));
  const fileOf = async (platform: Platform, date: string) =>
    toSettlementFile(await settlementOf(platform.deps, callBy(platform.deps), date));

  it("removes a day at the retention age of its kind, with late bookings, and nothing of the day after it", async () => {
    const { rows, platform } = await aWorld();
    const { deps } = platform;
    await addBookings(deps, [aBooking()], booked);
    await platform.pass(5 * DAY); // it is closed
    await addBookings(deps, [aBooking()], booked); // late, under the day after it
    await platform.pass(DAY); // the day after it is closed too
    const kept = await fileOf(platform, next);
    expect(kept).toContain("\r\nbooking,2026-11-22,,2026-11-21,capture,");

    await platform.pass((days - 6) * DAY);
    expect(await plan(platform, "bookings")).toMatchObject({ atMost: 0 });
    expect(await run(platform, "bookings")).toMatchObject({ removed: 0, rows: 0 });
    await platform.pass(DAY);
    expect(await plan(platform, "bookings")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "bookings")).toMatchObject({ removed: 1, stay: 0 });
    const left = ofBookings(await rows.all());
    expect(left.length).toBeGreaterThan(2);
    const ofLate = expect.stringMatching(` late~${booked}~`) as string; // leaves with its booking
    expect(left.filter((row) => !row.includes(next))).toEqual([ofLate]);
    expect(await fileOf(platform, next)).toBe(kept);

    await platform.pass(DAY);
    expect(await run(platform, "bookings")).toMatchObject({ removed: 1, stay: 0 });
    expect(ofBookings(await rows.all())).toEqual([]);
  });

  it("may be interrupted at any write and run again, even for a day that takes several groups", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      for (let i = 0; i < 3; i++)
        await addBookings(
          platform.deps,
          Array.from({ length: 60 }, () => aBooking()),
          booked,
        );
      await platform.pass((days + 1) * DAY);
      rows.cutAfter(writes);
      const ended = await run(platform, "bookings").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform, "bookings");
      expect(ofBookings(await rows.all()), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });

  it("refuses fewer days than the books need", () => {
    expect(() => checkedDays("bookings", 365)).toThrow(/Bookings/);
  });
});

it("purging removes an alert that was closed long ago, and none that is open", async () => {
  const { platform } = await aWorld();
  const { alerts } = platform.deps;
  const payments = [await aCaptured(platform), await aCaptured(platform)];
  for (const payment of payments) await payment.sendReport("declined");
  const [first] = await alerts.of(payments[0]?.sessionId ?? "");
  if (!first) throw new Error("there is no alert");
  const closing = { by: "ada", why: "seen to", at: platform.deps.clock.now() };
  await alerts.save({ ...first.alert, status: "closed", closings: [closing] }, first);
  await platform.pass(retentionTable.alerts.days * DAY - 60);
  expect(await plan(platform, "alerts")).toMatchObject({ atMost: 0 });
  await platform.pass(DAY);
  expect(await run(platform, "alerts")).toMatchObject({ removed: 1, rows: 1 });
  const left = (await alerts.all()).filter(({ kind }) => kind !== "dayMissing"); // no terminal closed its day
  expect(left.map(({ subject, status }) => [subject, status])).toEqual([
    [{ kind: "payment", ...payments[1]?.key }, "open"],
  ]);
});
