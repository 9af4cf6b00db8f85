import { randomUUID } from "node:crypto";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import type { Rows } from "../../shared/ports/rows.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { defineBench, whole } from "./bench.ts";
import { onTables } from "./bench-tables.ts";
import { rawTable, type RawTable } from "./raw-tables.ts";
import { median, ratioOf, ratioText, round } from "./statistics.ts";

/** A small record. */
const columns = { v: 1, json: JSON.stringify({ text: "x".repeat(400) }) };

type Act = () => Promise<unknown>;
/** Prepares the object of a measured call. The preparation is not measured. */
type Call = () => Promise<Act>;

interface Client {
  readonly calls: Readonly<Record<string, Call>>;
}

const freshRows = (count: number) => Array.from({ length: count }, (_, i) => ({ rowKey: `row~${i}`, columns }));

/** The platform's own client. */
function platformClient(rows: Rows): Client {
  const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns }) as const;
  const aRow = async () => {
    const partition = randomUUID();
    const [etag = ""] = await rows.submit(partition, [insert("row")]);
    return { partition, etag };
  };
  const group =
    (count: number): Call =>
    async () => {
      const partition = randomUUID();
      const inserts = freshRows(count).map(({ rowKey }) => insert(rowKey));
      return () => rows.submit(partition, inserts);
    };
  return {
    calls: {
      read: async () => {
        const { partition } = await aRow();
        return () => rows.get(partition, "row");
      },
      404: async () => () => rows.get(randomUUID(), "row"),
      insert: async () => () => rows.submit(randomUUID(), [insert("row")]),
      "update with ETag": async () => {
        const { partition, etag } = await aRow();
        return () => rows.submit(partition, [{ kind: "replace", rowKey: "row", columns, etag }]);
      },
      "group of 2": group(2),
      "group of 5": group(5),
    },
  };
}

/** The same calls over plain HTTP. */
function rawClient(table: RawTable): Client {
  const row = { rowKey: "row", columns };
  const group =
    (count: number): Call =>
    async () => {
      const partition = randomUUID();
      return () => table.group(partition, freshRows(count));
    };
  return {
    calls: {
      read: async () => {
        const partition = randomUUID();
        await table.write(partition, row);
        return () => table.get(partition, "row");
      },
      404: async () => () => table.get(randomUUID(), "row"),
      insert: async () => () => table.write(randomUUID(), row),
      "update with ETag": async () => {
        const partition = randomUUID();
        const etag = await table.write(partition, row);
        return () => table.write(partition, { ...row, etag });
      },
      "group of 2": group(2),
      "group of 5": group(5),
    },
  };
}

/** CPU microseconds of this process for each call, user and system, one call after the other. */
async function cpuUsPerCall(call: Call, count: number): Promise<number> {
  const acts: Act[] = [];
  while (acts.length < count) acts.push(await call());
  const before = process.cpuUsage();
  for (const act of acts) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** The cost of a table client's call for its process. */
export const store = defineBench({
  means: "CPU a call of the table client, compared with the same call over plain HTTP",
  options: { calls: whole(300, "calls of a kind in a round"), rounds: whole(5, "rounds of each") },
  async run({ calls, rounds }, progress) {
    const results = await onTables(async (connection) => {
      const raw = rawTable(connection, tableNames.terminals);
      try {
        const platform = platformClient(azureTables(connection).terminals);
        const floor = rawClient(raw);
        const results = [];
        for (const [kind, call] of Object.entries(platform.calls)) {
          const beside = floor.calls[kind];
          if (!beside) throw new Error(`${kind} has no floor`);
          for (const one of [call, beside]) await cpuUsPerCall(one, calls); // to warm up
          const us = { client: new Array<number>(), floor: new Array<number>() };
          for (let round = 0; round < rounds; round++) {
            us.client.push(await cpuUsPerCall(call, calls));
            us.floor.push(await cpuUsPerCall(beside, calls));
          }
          results.push({ kind, us, ratio: ratioOf(us.client, us.floor) });
          progress(`${kind}: measured`);
        }
        return results;
      } finally {
        await raw.close();
      }
    });
    return {
      tables: [
        {
          title: "CPU microseconds a call",
          columns: ["call", "table client", "plain HTTP", "ratio (least to greatest)"],
          rows: results.map(({ kind, us, ratio }) => [
            kind,
            round(median(us.client), 0),
            round(median(us.floor), 0),
            ratioText(ratio),
          ]),
        },
      ],
      figures: { calls, rounds, results },
    };
  },
});
