import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { publishRows, type PublishedRow, type PublishedRows } from "../../published-rows.ts";
import { sortTables } from "../../sorted-store.ts";
import { publisher } from "../../../common/publish.ts";
import { fc } from "../../../common/test/drawn.ts";
import { answerOf, aStore, lifeOn, type Store } from "../table-life.ts";
import { anyStep, type Step } from "../table-steps.ts";

// A store's published rows, and the rows that it has.

interface Watched {
  readonly store: Store;
  readonly items: PublishedRows[];
  ask(): void;
}

async function aWatchedStore(): Promise<Watched> {
  const items: PublishedRows[] = [];
  const send = (message: object) => items.push((message as { item: PublishedRows }).item);
  const channel = Object.assign(new EventEmitter(), { connected: true, send });
  const store = await aStore((store) =>
    sortTables(
      store,
      publishRows(store, (begin) => publisher("rows", begin, channel)),
    ),
  );
  return { store, items, ask: () => void channel.emit("message", { publish: true }) };
}

const keyOf = ({ partitionKey, rowKey }: PublishedRow) => JSON.stringify([partitionKey, rowKey]);

/** The rows of a subscriber after these items. */
function taken(items: readonly PublishedRows[]): PublishedRow[] {
  const rows = new Map<string, PublishedRow>();
  for (const item of items) {
    if ("begins" in item) rows.clear();
    else
      for (const row of item.rows) {
        if (row.properties === undefined) rows.delete(keyOf(row));
        else rows.set(keyOf(row), row);
      }
  }
  return [...rows.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

async function stored({ store }: Watched): Promise<PublishedRow[]> {
  const [rows] = await store.queryTableEntities({}, "account", "table", {}, undefined, undefined);
  return rows
    .map((row) => {
      const { PartitionKey, RowKey, eTag, properties } = row as unknown as {
        readonly PartitionKey: string;
        readonly RowKey: string;
        readonly eTag: string;
        readonly properties: Readonly<Record<string, unknown>>;
      };
      return { partitionKey: PartitionKey, rowKey: RowKey, etag: eTag, properties };
    })
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A deleted table is not published. */
const anyWrite = anyStep.filter((step: Step) => step.do === "write" || step.do === "batch");

it("publishes the content of the tables, after any writes and rollbacks, whenever it is requested", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyWrite, { maxLength: 20, size: "max" }),
      fc.nat({ max: 20 }),
      async (steps, askedAfter) => {
        const watched = await aWatchedStore();
        const live = lifeOn(watched.store);
        for (const [at, step] of steps.entries()) {
          if (at === askedAfter) watched.ask();
          await answerOf(() => live(step));
          expect(taken(watched.items)).toEqual(at < askedAfter ? [] : await stored(watched));
        }
      },
    ),
    { numRuns: 100 },
  );
});

const write = (RowKey: string, kind: "insert" | "replace" = "insert", condition: "current" | "stale" = "current") => ({
  kind,
  RowKey,
  properties: {},
  condition,
});

it("publishes a batch as one item, and nothing before it is complete", async () => {
  const watched = await aWatchedStore();
  watched.ask();
  watched.items.length = 0;
  const live = lifeOn(watched.store);
  await live({ do: "batch", PartitionKey: "p", changes: [write("a"), write("b")] });
  expect(watched.items).toMatchObject([{ table: "table", rows: [{ rowKey: "a" }, { rowKey: "b" }] }]);
});

it("never shows a row of a batch that is rolled back", async () => {
  const watched = await aWatchedStore();
  watched.ask();
  const live = lifeOn(watched.store);
  await live({ do: "write", PartitionKey: "p", change: write("a") });
  await live({ do: "batch", PartitionKey: "p", changes: [write("b"), write("a", "replace", "stale")] });
  const shown = watched.items.flatMap((item) => ("rows" in item ? item.rows : []));
  expect(shown.filter(({ rowKey, properties }) => rowKey === "b" && properties)).toEqual([]);
  expect(taken(watched.items).map(({ rowKey }) => rowKey)).toEqual(["a"]);
});
