import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { bellsTable } from "../../../shared/stores/rung-bells.ts";
import { onBothStores } from "../tables/stores.ts";

const at = "2026-11-21T10:00:00.000Z";
const rung = (ringer: string, sequence: number) => ({ ringer, sequence, terminalIds: ["a", "b"], at });

onBothStores("bells", (newTable) => {
  it("keep the latest rings of each process, whichever others ring", async () => {
    const bells = bellsTable(await newTable());
    expect(await bells.all()).toEqual([]);
    await Promise.all([bells.save(rung("one", 2)), bells.save(rung("two", 7))]);
    await bells.save(rung("one", 3));
    expect(await bells.all()).toMatchObject([rung("one", 3), rung("two", 7)]);
  });

  it("are removed only as they were read, and written again", async () => {
    const bells = bellsTable(await newTable());
    await bells.save(rung("one", 2));
    const [read] = await bells.all();
    if (!read) throw new Error("no row");
    await bells.save(rung("one", 3));
    await expect(bells.remove(read)).rejects.toThrow(Conflict);
    const [again] = await bells.all();
    if (again) await bells.remove(again);
    await expect(bells.remove(read)).rejects.toThrow(Conflict);
    expect(await bells.all()).toEqual([]);
    await bells.save(rung("one", 4));
    expect(await bells.all()).toHaveLength(1);
  });
});
