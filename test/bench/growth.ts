import { randomUUID } from "node:crypto";
import { INBOX_PREFIX, TERMINAL_ROW } from "../../shared/tables/keys.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import type { Rows } from "../../shared/tables/rows.ts";
import { tableNames } from "../../shared/tables/table-names.ts";
import { defineBench, whole, wholes } from "./bench.ts";
import { onTables } from "./bench-tables.ts";
import { rawTable } from "./raw-tables.ts";
import { percentile, round } from "./statistics.ts";

const GROUP = 100;
/** Partitions that grow at once: terminals whose messages leave their guards. */
const TERMINALS = 20;
const AT_ONCE = 8;

const columns = { v: 1, json: "{}" };

/** Adds guards of answered messages, which stay for good, until there are so many. */
async function grow(rows: Rows, terminals: readonly string[], from: number, to: number): Promise<void> {
  let next = from;
  const writer = async () => {
    while (next < to) {
      const first = next;
      next = Math.min(to, first + GROUP);
      const group = Array.from({ length: next - first }, (_, i) => ({
        kind: "insert" as const,
        rowKey: `filed~${String(first + i).padStart(9, "0")}`,
        columns,
      }));
      await rows.submit(terminals[Math.floor(first / GROUP) % terminals.length] ?? "", group);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
}

/** What it returns is how many rows it read. */
type Read = () => Promise<number>;

async function timed(read: Read, count: number): Promise<{ readonly rows: number; readonly ms: readonly number[] }> {
  const ms: number[] = [];
  let rows = 0;
  while (ms.length < count) {
    const began = performance.now();
    rows = await read();
    ms.push(performance.now() - began);
  }
  return { rows, ms };
}

/** What reads cost as tables grow. */
export const growth = defineBench({
  means: "rows that a read returns, and its time, as the table grows; beside bare point reads",
  options: {
    rows: wholes([1_000, 10_000, 100_000], "rows in the table, growing"),
    reads: whole(100, "reads of a kind"),
  },
  async run({ rows: sizes, reads: count }, tell) {
    const results = await onTables(async ({ connection }) => {
      const rows = azureTables(connection).terminals;
      const raw = rawTable(connection, tableNames.terminals);
      try {
        const terminals = Array.from({ length: TERMINALS }, () => randomUUID());
        const [own = ""] = terminals;
        const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns }) as const;
        await rows.submit(own, ["terminal", "terminal~seen", "inbox~1"].map(insert));
        const reads: Readonly<Record<string, Read>> = {
          "query terminal…": async () => (await rows.withPrefix(own, TERMINAL_ROW)).length,
          "query inbox…": async () => (await rows.withPrefix(own, INBOX_PREFIX)).length,
          "point read": async () => ((await rows.get(own, "terminal")) ? 1 : 0),
          "point read, plain HTTP": async () => ((await raw.get(own, "terminal")) === undefined ? 0 : 1),
        };
        const results = [];
        let there = 3;
        for (const size of sizes.toSorted((a, b) => a - b)) {
          await grow(rows, terminals, there, size);
          there = Math.max(there, size);
          for (const [kind, read] of Object.entries(reads)) results.push({ size, kind, ...(await timed(read, count)) });
          tell(`${size} rows: measured`);
        }
        return results;
      } finally {
        await raw.close();
      }
    });
    return {
      tables: [
        {
          title: "Reads of Azurite, in milliseconds",
          columns: ["rows in the table", "read", "rows it returns", "p50", "p95"],
          rows: results.map(({ size, kind, rows, ms }) => [
            size,
            kind,
            rows,
            round(percentile(ms, 50), 2),
            round(percentile(ms, 95), 2),
          ]),
        },
      ],
      remarks: ["Azurite scans a table for a query; Azure finds by partition and row key."],
      figures: { reads: count, results },
    };
  },
});
