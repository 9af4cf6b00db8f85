import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { partnerDaysTable } from "../../../shared/stores/partner-days.ts";
import { onBothStores } from "../tables/stores.ts";

const [partnerId, day] = ["aaaaaaaa-0000-4000-8000-000000000001", "2026-11-21"];
const closing = { state: "closing", closedAt: "2026-11-25T00:00:00.000Z" } as const;

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
    const entered = await Promise.all([...terminalIds, "T1"].map((one) => days.enter(partnerId, day, one)));
    await days.enter(partnerId, "2026-11-22", "T2");
    await days.enter("someone", day, "T3");
    expect(new Set(entered)).toEqual(new Set([true]));
    expect((await days.terminals(partnerId, day)).toSorted()).toEqual(terminalIds.toSorted());
  });

  it("is closed by one of two who read it, and enters no terminal while it is being closed or closed", async () => {
    for (const first of [[], ["T1"]]) {
      const days = partnerDaysTable(await newTable());
      for (const terminalId of first) await days.enter(partnerId, day, terminalId);
      const read = await days.find(partnerId, day);
      await days.close(partnerId, day, closing, read);
      await expect(days.close(partnerId, day, closing, read)).rejects.toThrow(Conflict);
      expect(await days.enter(partnerId, day, "T2")).toBe(false);
      await days.close(partnerId, day, { ...closing, state: "closed" }, await days.find(partnerId, day));
      expect(await days.enter(partnerId, day, "T3")).toBe(false);
      expect(await days.find(partnerId, day)).toMatchObject({ state: "closed", closedAt: closing.closedAt });
    }
  });

  it("that begins to close while a terminal enters it finds the terminal, or the terminal is refused", async () => {
    for (const others of [[], ["T1"]]) {
      for (let number = 0, reached = true; reached; number++) {
        reached = false;
        const rows = await newTable();
        const days = partnerDaysTable(rows);
        for (const terminalId of others) await days.enter(partnerId, day, terminalId);
        let found: string[] = [];
        const close = async () => {
          reached = true;
          await days.close(partnerId, day, closing, await days.find(partnerId, day));
          found = await days.terminals(partnerId, day);
        };
        const isEntered = await partnerDaysTable(interrupted(rows, number, close)).enter(partnerId, day, "T2");
        if (reached && isEntered) expect(found, `closed before call ${number}`).toContain("T2");
      }
    }
  });
});
