import { expect, it } from "vitest";
import type { BookingTotal } from "../../../shared/domain/booking.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { partnerDaysTable, type PartnerDays, type StoredPartnerDay } from "../../../shared/stores/partner-days.ts";
import { enterDay } from "../../../shared/use-cases/bookings/enter-day.ts";
import { onBothStores } from "../tables/stores.ts";

const [partnerId, day, merchantId] = ["aaaaaaaa-0000-4000-8000-000000000001", "2026-11-21", "merchant-1"];
const key = { partnerId, day };
const closedAt = "2026-11-25T00:00:00.000Z";
const command = { commandId: "command-1", effects: [] };
const total: BookingTotal = { kind: "capture", direction: "credit", currency: "SEK", amount: 100, count: 1 };

const enter = (partnerDays: PartnerDays, terminalId: string, of = key) =>
  enterDay({ partnerDays }, of, { terminalId, merchantId }, async () => {});
async function found(days: PartnerDays): Promise<StoredPartnerDay> {
  const read = await days.find(key);
  if (!read) throw new Error("the day has no row");
  return read;
}
const idsIn = async (days: PartnerDays) => (await days.terminals(key)).map(({ terminalId }) => terminalId);

/** Lets something happen before the call with this number, counted from 0. */
function interrupted(rows: Rows, number: number, act: () => Promise<void>): Rows {
  let calls = 0;
  const before = async () => {
    if (calls++ === number) await act();
  };
  return {
    ...rows,
    get: async (...given) => {
      await before();
      return rows.get(...given);
    },
    submit: async (...given) => {
      await before();
      return rows.submit(...given);
    },
  };
}

onBothStores("a partner's day", (newTable) => {
  it("has each entered terminal once, and no terminal of another day or partner", async () => {
    const days = partnerDaysTable(await newTable());
    const terminalIds = ["T1", "T10", "T1-", "T1~"];
    const entered = await Promise.all([...terminalIds, "T1"].map((one) => enter(days, one)));
    await enter(days, "T2", { partnerId, day: "2026-11-22" });
    await enter(days, "T3", { partnerId: "someone", day });
    expect(new Set(entered)).toEqual(new Set([true]));
    expect((await idsIn(days)).toSorted()).toEqual(terminalIds.toSorted());
    const some = await days.terminals(key, ["T2", "T1~", "T1"]);
    expect(some.map(({ terminalId }) => terminalId).toSorted()).toEqual(["T1", "T1~"]);
  });

  it("keeps the totals of its terminals, also when one is entered again", async () => {
    const days = partnerDaysTable(await newTable());
    const terminals = Array.from({ length: 101 }, (_, i) => ({ terminalId: `T${i + 100}`, merchantId }));
    for (const { terminalId } of terminals) await enter(days, terminalId);
    const withTotals = terminals.map((terminal) => ({ ...terminal, totals: [total] }));
    await days.saveTotals(key, withTotals);
    await enter(days, "T100");
    expect(await days.terminals(key)).toEqual(withTotals);
  });

  it("is closed by one of two who read it, and enters no terminal while it is being closed or closed", async () => {
    const days = partnerDaysTable(await newTable());
    await enter(days, "T1");
    const read = await found(days);
    const closing = await days.beginClosing(key, closedAt, read);
    await expect(days.beginClosing(key, closedAt, read)).rejects.toThrow(Conflict);
    expect(await enter(days, "T2")).toBe(false);
    const closed = { closedAt, totals: [total], sequence: 1 };
    await days.close(key, closed, { read: closing, command });
    await expect(days.close(key, closed, { read: closing, command })).rejects.toThrow(Conflict);
    expect(await enter(days, "T3")).toBe(false);
    expect(await days.find(key)).toMatchObject({ state: "closed", ...closed });
  });

  it("is in the list of open days until it leaves, also if it left before", async () => {
    const days = partnerDaysTable(await newTable());
    for (const date of ["2026-11-22", day]) await enter(days, "T1", { partnerId, day: date });
    expect(await days.openDays()).toEqual([key, { partnerId, day: "2026-11-22" }]);
    for (let i = 0; i < 2; i++) await days.leaveOpen(key);
    expect(await days.openDays()).toEqual([{ partnerId, day: "2026-11-22" }]);
  });

  it("that begins to close while a terminal enters it finds the terminal, or the terminal is refused", async () => {
    for (let number = 0, reached = true; reached; number++) {
      reached = false;
      const rows = await newTable();
      const days = partnerDaysTable(rows);
      await enter(days, "T1");
      let there: string[] = [];
      const close = async () => {
        reached = true;
        await days.beginClosing(key, closedAt, await found(days));
        there = await idsIn(days);
      };
      const isEntered = await enter(partnerDaysTable(interrupted(rows, number, close)), "T2");
      if (reached && isEntered) expect(there, `closed before call ${number}`).toContain("T2");
    }
  });
});
