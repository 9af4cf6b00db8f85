import { expect, it } from "vitest";
import { sortTables, type TableStore } from "../../sorted-store.ts";
import { fc } from "../../../common/test/drawn.ts";
import { answerOf, aStore, lifeOn } from "../table-life.ts";
import { anyStep } from "../table-steps.ts";

// Azurite's own store next to a store with sorted tables. Both respond alike to every write and every query.

it("responds as Azurite's own tables do, to any writes and queries", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40, size: "max" }), async (steps) => {
      const lives = [lifeOn(await aStore()), lifeOn(await aStore((store) => sortTables(store)))] as const;
      for (const one of [...steps, { do: "query", query: { filter: undefined, top: 3 } } as const]) {
        const [own, sorted] = [await answerOf(() => lives[0](one)), await answerOf(() => lives[1](one))];
        expect(sorted).toEqual(own);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("refuses a store that it was not made for", () => {
  const newer = { constructor: () => "another source" };
  expect(() => sortTables(newer as unknown as TableStore)).toThrow(/Azurite's store of tables has changed/);
});
