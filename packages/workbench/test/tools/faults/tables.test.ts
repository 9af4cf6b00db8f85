import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { odata, RestError, TableClient } from "@azure/data-tables";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTables, tablesConnection } from "../../../stack/azurite.ts";
import type { Child } from "../../../stack/child.ts";
import { newFaultBoard } from "../../../../local-azure/faults/board.ts";
import type { FaultTarget, FaultInput } from "../../../../local-azure/faults/rule.ts";
import { freePort } from "../../../../local-azure/common/free-ports.ts";

const board = newFaultBoard();
const tables: Record<string, TableClient> = {};
let directory: string;
let azurite: Child | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "faults-"));
  const port = await freePort();
  azurite = await startTables(port, join(directory, "azurite.log"));
  await board.serve("tables", azurite.channel);
  for (const name of ["Payments", "Orders"]) {
    // A client without retries, so that the test sees each refusal.
    tables[name] = TableClient.fromConnectionString(tablesConnection(port), name, {
      allowInsecureConnection: true,
      retryOptions: { maxRetries: 0 },
    });
    await tables[name].createTable();
  }
});
afterEach(() => board.clear());
afterAll(async () => {
  await azurite?.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Place {
  readonly table: string;
  readonly partitionKey: string;
}

/** The product's calls of a table. Each call that is carried out adds a row. */
type Call = (table: TableClient, partitionKey: string, options: { abortSignal?: AbortSignal }) => Promise<unknown>;
const add: Call = (table, partitionKey, options) => table.createEntity(row(partitionKey), options);
const calls: Readonly<Record<string, Call>> = {
  add,
  change: (table, partitionKey, options) => table.upsertEntity(row(partitionKey), "Merge", options),
  transaction: (table, partitionKey, options) => {
    const both = [row(partitionKey), row(partitionKey)].map(
      (entity) => ["create", entity] as ["create", typeof entity],
    );
    return table.submitTransaction(both, options);
  },
};
const row = (partitionKey: string) => ({ partitionKey, rowKey: randomUUID(), text: "a row" });
const rows: Call = async (table, partitionKey, options) => {
  const found: unknown[] = [];
  const filter = odata`PartitionKey eq ${partitionKey}`;
  for await (const entity of table.listEntities({ queryOptions: { filter }, ...options })) found.push(entity.rowKey);
  return found;
};

const make = (call: Call, { table, partitionKey }: Place, signal?: AbortSignal) => {
  const client = tables[table];
  if (!client) throw new Error(`no table ${table}`);
  return call(client, partitionKey, signal ? { abortSignal: signal } : {});
};

/** The refusal as the client reports it. The official client reads the code of a transaction differently. */
const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "carried out",
    (error: unknown) => {
      if (!(error instanceof RestError)) return String(error);
      const { odataError } = (error.details ?? {}) as { odataError?: { code?: string } };
      return error.statusCode === undefined ? "no answer" : `${error.statusCode} ${odataError?.code ?? error.code}`;
    },
  );

const payments = { table: "Payments", partitionKey: "it's p" };
const others = { table: "Payments", partitionKey: "q" };
const orders = { table: "Orders", partitionKey: "it's p" };
const targets: readonly { target: FaultTarget; hit: readonly Place[]; spared: readonly Place[] }[] = [
  { target: { tables: "all" }, hit: [payments, others, orders], spared: [] },
  { target: { table: "Payments" }, hit: [payments, others], spared: [orders] },
  { target: { table: "Payments", partition: "it's p" }, hit: [payments], spared: [others, orders] },
];

describe.each(targets)("a fault on $target", ({ target, hit, spared }) => {
  it.each<[FaultInput, string]>([
    [{ kind: "busy", seconds: 60 }, "503 ServerBusy"],
    [{ kind: "forbidden", seconds: 60 }, "403 AuthorizationFailure"],
    [{ kind: "away", seconds: 60 }, "no answer"],
  ])("refuses the affected requests with %j, until it is removed", async (wish, expected) => {
    const before = await Promise.all(hit.map((place) => make(rows, place)));
    await board.set(target, wish);
    for (const call of [...Object.values(calls), rows]) {
      for (const place of hit) expect(await refusalOf(make(call, place))).toBe(expected);
      for (const place of spared) await make(call, place);
    }
    await board.clear(target);
    expect(await Promise.all(hit.map((place) => make(rows, place)))).toEqual(before);
    for (const call of Object.values(calls)) for (const place of hit) await make(call, place);
  });

  it("sends no response while it is silent, and carries nothing out", async () => {
    const before = await Promise.all(hit.map((place) => make(rows, place)));
    await board.set(target, { kind: "silent", seconds: 60 });
    for (const call of [...Object.values(calls), rows]) {
      const waiting = hit.map((place) => make(call, place, AbortSignal.timeout(200)));
      for (const call of waiting) await expect(call).rejects.toMatchObject({ name: "AbortError" });
      for (const place of spared) await make(call, place);
    }
    await board.clear(target);
    expect(await Promise.all(hit.map((place) => make(rows, place)))).toEqual(before);
  });

  it("delays responses while it is slow", async () => {
    await board.set(target, { kind: "slow", milliseconds: 60_000, seconds: 60 });
    for (const place of hit) {
      await expect(make(add, place, AbortSignal.timeout(200))).rejects.toMatchObject({ name: "AbortError" });
    }
    for (const place of spared) await make(add, place);
    await board.set(target, { kind: "slow", milliseconds: 20, seconds: 60 });
    for (const call of [...Object.values(calls), rows]) for (const place of hit) await make(call, place);
  });
});

it("a fault ends automatically at its time", async () => {
  await board.set({ tables: "all" }, { kind: "away", seconds: 0.2 });
  await expect.poll(() => make(add, payments).then(() => "goes on", String)).toBe("goes on");
});

it("a fault on all tables cuts open connections, including those that wait for a response", async () => {
  await board.set({ tables: "all" }, { kind: "silent", seconds: 60 });
  const waiting = refusalOf(make(add, payments));
  await board.set({ tables: "all" }, { kind: "away", seconds: 60 });
  expect(await waiting).toBe("no answer");
});

it("a fault cannot simulate full tables, because Azure's response to that is not documented", async () => {
  await expect(board.set({ tables: "all" }, { kind: "full", seconds: 60 })).rejects.toThrow("Only queues can be full");
});
