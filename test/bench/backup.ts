import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noLog } from "../../infra/operator/platform.ts";
import { exportTables } from "../../infra/backup/export-tables.ts";
import { exportFolder, importFolder } from "../../infra/backup/folder.ts";
import { importTables } from "../../infra/backup/import-tables.ts";
import { after } from "../../shared/domain/time.ts";
import { standardTimings } from "../../shared/domain/timings.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { eachTable, type WholeTables } from "../../shared/tables/table-ports.ts";
import { makeMonth } from "../support/a-month.ts";
import { aCall } from "../support/calls.ts";
import { onTables } from "./bench-tables.ts";
import { defineBench, whole, wholes } from "./bench.ts";
import { countingRows } from "./counting-ports.ts";
import { round } from "./statistics.ts";

const HOUR = 3600;

interface Measured {
  readonly payments: number;
  readonly work: "export" | "import";
  readonly seconds: number;
  readonly tableCalls: number;
  readonly rows: number;
  /** Of all files of the export. */
  readonly bytes: number;
  /** Payments that are queried first. */
  readonly queried: number;
}

/** Export and import of a month of payments. */
export const backup = defineBench({
  means: "seconds, table calls and bytes of an export and of its import, as payments grow to a month's",
  options: {
    payments: wholes([900, 9_000], "payments in the tables, each number in tables of its own"),
    day: whole(300, "payments of a day"),
    open: whole(90, "payments that are open, and are queried first"),
    terminals: whole(20, "terminals of the fleet"),
  },
  async run({ payments: sizes, day: perDay, open, terminals }, tell) {
    const results: Measured[] = [];
    for (const payments of sizes) {
      const folder = await mkdtemp(join(tmpdir(), "bench-backup-"));
      try {
        const until = after(new Date().toISOString(), -HOUR);
        await onTables(async ({ connection }) => {
          const tables = azureTables(connection);
          await makeMonth(tables, { payments, perDay, open, terminals, until });
          results.push(await exported(tables, folder, payments));
        });
        tell(`${payments} payments are exported`);
        results.push(
          await onTables(async ({ connection }) => imported(azureTables(connection), folder, results.at(-1))),
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    }
    return {
      tables: [
        {
          title: `Export and import, with ${open} open payments`,
          columns: ["payments", "", "s", "table calls", "rows", "MB", "queried first"],
          rows: results.map(({ payments, work, seconds, tableCalls, rows, bytes, queried }) => [
            payments,
            work,
            round(seconds, 1),
            tableCalls,
            rows,
            round(bytes / 1e6, 1),
            queried,
          ]),
        },
      ],
      remarks: ["A page of the rows of a whole table is a table call: a thousand rows."],
      figures: { perDay, open, terminals, results },
    };
  },
});

const call = aCall({ clock: { now: () => new Date().toISOString() }, newId: () => crypto.randomUUID() });

/** The same tables, and how often they were called. */
function counted(tables: WholeTables) {
  const calls = { count: 0 };
  const counting = eachTable((table) => ({
    ...countingRows(table, tables[table], () => void calls.count++),
    async *rowsAfter(partitionKey?: string) {
      let rows = 0;
      for await (const row of tables[table].rowsAfter(partitionKey)) {
        if (rows++ % PAGE === 0) calls.count++;
        yield row;
      }
      if (rows === 0) calls.count++;
    },
  }));
  return { tables: counting, calls };
}
const PAGE = 1_000;

async function exported(from: WholeTables, folder: string, payments: number): Promise<Measured> {
  const { tables, calls } = counted(from);
  const began = performance.now();
  const manifest = await exportTables(tables, await exportFolder(folder), call);
  const seconds = (performance.now() - began) / 1000;
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { payments, work: "export", seconds, tableCalls: calls.count, rows, bytes, queried: 0 };
}

async function imported(into: WholeTables, folder: string, of: Measured | undefined): Promise<Measured> {
  const { tables, calls } = counted(into);
  const deps = { tables, timings: standardTimings, log: noLog };
  const began = performance.now();
  const { rows, queried } = await importTables(deps, await importFolder(folder, "tables of a benchmark"), call);
  const seconds = (performance.now() - began) / 1000;
  const { payments, bytes } = of ?? { payments: 0, bytes: 0 };
  return { payments, work: "import", seconds, tableCalls: calls.count, rows, bytes, queried };
}
