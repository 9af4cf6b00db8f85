import { appendFile, copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepTables } from "../../kept-tables.ts";
import { sortTables } from "../../sorted-store.ts";
import { fc } from "../../../common/test/drawn.ts";
import { answerOf, lifeOn, lokiStore, type Store } from "../table-life.ts";
import { anyStep, type Step } from "../table-steps.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "kept-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A store that stores its tables in this file, as Azurite's server starts it. */
async function keptStore(file: string): Promise<Store> {
  const store = lokiStore();
  sortTables(store, keepTables(store, file));
  await store.init();
  return store;
}

const everything = async (store: Store): Promise<unknown> =>
  lifeOn(store)({ do: "query", query: { filter: undefined, top: undefined } });
const aTable = () => ({ account: "account", table: "table" });
const row = (RowKey: string): Step => ({
  do: "write",
  PartitionKey: "p",
  change: { kind: "upsert", RowKey, properties: {}, condition: "any" },
});

it("has every row again after a kill, whatever was written, and continues", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 25, size: "max" }), async (steps) => {
      const [file, left] = [join(folder, `${run}.jsonl`), join(folder, `${run++}.left`)];
      const store = await keptStore(file);
      await store.createTable({}, aTable());
      for (const step of steps) await answerOf(() => lifeOn(store)(step));
      await copyFile(file, left); // the file after a kill at this moment
      const again = await keptStore(left);
      expect(await everything(again)).toEqual(await everything(store));
      await lifeOn(again)(row("later"));
      expect(await everything(await keptStore(left))).toEqual(await everything(again));
    }),
    { numRuns: 100 },
  );
});

it("leaves out the whole commit that was being written when the process died", async () => {
  const file = join(folder, "tables.jsonl");
  const store = await keptStore(file);
  await store.createTable({}, aTable());
  await lifeOn(store)(row("first"));
  const whole = (await stat(file)).size;
  const before = await everything(store);
  const change = (RowKey: string) => ({ kind: "insert", RowKey, properties: {}, condition: "any" }) as const;
  await lifeOn(store)({ do: "batch", PartitionKey: "p", changes: [change("a"), change("b")] });
  const bytes = await readFile(file);
  for (const length of [whole + 1, bytes.length - 1]) {
    await writeFile(file, bytes.subarray(0, length));
    const again = await keptStore(file);
    expect(await everything(again)).toEqual(before);
    await lifeOn(again)(row("later")); // on its own line
    expect(await everything(await keptStore(file))).toEqual(await everything(again));
  }
});

it("does not guess if the file was damaged", async () => {
  const file = join(folder, "tables.jsonl");
  await (await keptStore(file)).createTable({}, aTable());
  await appendFile(file, '{"in":"acc\n');
  await expect(keptStore(file)).rejects.toThrow(`line 2 of ${file} cannot be read`);
});

it("does not grow forever with rows that are rewritten", async () => {
  const file = join(folder, "tables.jsonl");
  const store = await keptStore(file);
  await store.createTable({}, aTable());
  for (let i = 0; i < 1_100; i++) await lifeOn(store)(row("the same"));
  const again = await keptStore(file);
  expect(await everything(again)).toEqual(await everything(store));
  expect((await stat(file)).size).toBeLessThan(1_000);
});
