import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RestError, TableClient, type TransactionAction } from "@azure/data-tables";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTables, tablesConnection } from "../../stack/azurite.ts";
import { startChild, type Child } from "../../stack/child.ts";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { fc } from "../../../../test/support/drawn.ts";

// Compares the local cloud's Azurite, which finds rows by their keys, with the published Azurite: over HTTP both respond the same.

const [mended, published] = [0, 1];
const ports: number[] = [];
const children: Child[] = [];
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "azurites-"));
  ports.push(await freePort(), await freePort());
  children.push(await startTables(ports[mended] as number, join(directory, "mended.log")));
  const args = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck", "--silent", "--tablePort"];
  children.push(
    await startChild({
      name: "Azurite as published",
      script: createRequire(import.meta.url).resolve("azurite/dist/src/table/main.js"),
      args: [...args, String(ports[published])],
      logFile: join(directory, "published.log"),
      readyWhen: (line) => (line.includes("successfully") ? true : undefined),
    }),
  );
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await rm(directory, { recursive: true, force: true });
});

async function newTable(port: number, name: string): Promise<TableClient> {
  const table = TableClient.fromConnectionString(tablesConnection(port), name, { allowInsecureConnection: true });
  await table.createTable();
  return table;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const key = fc.constantFrom(
  "a",
  "a'b",
  "A",
  "2",
  "10",
  "1a",
  "é",
  "e\u0301",
  "𝒳",
  "ž",
  "~",
  "inbox~1",
  "a b",
  "%41",
  "+",
);
const entity = fc.record({ partitionKey: key, rowKey: key, v: fc.integer({ min: 0, max: 3 }) });
const filter = fc.oneof(
  key.map((p) => `PartitionKey eq ${quoted(p)}`),
  fc
    .tuple(key, key, key)
    .map(([p, from, to]) => `PartitionKey eq ${quoted(p)} and RowKey ge ${quoted(from)} and RowKey lt ${quoted(to)}`),
  fc.tuple(key, key).map(([p, r]) => `PartitionKey gt ${quoted(p)} or RowKey le ${quoted(r)}`),
  fc.tuple(key, fc.nat(3)).map(([p, v]) => `PartitionKey ne ${quoted(p)} and not (v eq ${v})`),
  fc.constantFrom("", "true", "no filter ("),
);
const step = fc.oneof(
  fc.record({ do: fc.constantFrom("insert", "replace", "merge", "delete"), entity }),
  fc.record({
    do: fc.constant("together"),
    partition: key,
    entities: fc.uniqueArray(entity, { minLength: 1, maxLength: 4, selector: ({ rowKey }) => rowKey }),
    kind: fc.constantFrom("create", "upsert"),
  }),
  fc.record({ do: fc.constant("query"), filter, size: fc.integer({ min: 1, max: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(table: TableClient, one: Step): Promise<unknown> {
  if ("filter" in one) {
    const pages = [];
    const listed = table.listEntities({ queryOptions: { filter: one.filter } }).byPage({ maxPageSize: one.size });
    for await (const page of listed) pages.push([page.map(shown), page.continuationToken]);
    return pages;
  }
  if ("entities" in one) {
    const actions = one.entities.map(({ rowKey, v }): TransactionAction => [
      one.kind as "create",
      { partitionKey: one.partition, rowKey, v },
    ]);
    return (await table.submitTransaction(actions)).status;
  }
  const { partitionKey, rowKey } = one.entity;
  if (one.do === "insert") await table.createEntity(one.entity);
  else if (one.do === "delete") await table.deleteEntity(partitionKey, rowKey);
  else await table.updateEntity(one.entity, one.do === "merge" ? "Merge" : "Replace");
  return one.do === "delete" ? "deleted" : shown(await table.getEntity(partitionKey, rowKey));
}

/** A row without its times, and without the server's address. */
const shown = ({ etag: _, timestamp: __, "odata.metadata": ___, ...rest }: Record<string, unknown>): unknown => rest;

async function answerOf(act: Promise<unknown>): Promise<unknown> {
  try {
    return await act;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { status: error.statusCode, code: error.code };
  }
}

it("responds like Azurite, row by row and page by page", async () => {
  let met = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25, size: "max" }), async (steps) => {
      const name = `t${randomUUID().replaceAll("-", "")}`;
      const [mine, its] = await Promise.all(ports.map((port) => newTable(port, name)));
      for (const one of steps) {
        const [answer, expected] = await Promise.all([
          answerOf(take(mine as TableClient, one)),
          answerOf(take(its as TableClient, one)),
        ]);
        expect(answer).toEqual(expected);
        if (Array.isArray(expected) && expected.length > 1) met++;
      }
    }),
    { numRuns: 40 },
  );
  expect(met).toBeGreaterThan(0); // answers of several pages
});
