import type { WholeTables } from "../../../shared/stores/stores.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import { toLine, type Lines } from "./exported-row.ts";
import { inSlices, MOST_ROWS, takeStock, type Manifest } from "./manifest.ts";
import { damageIn } from "./damage.ts";
import { apart, prefixOf, rowsOfFile, storedPartition, storedTable } from "./payments-apart.ts";
import { exportedTables, secondLookOf, type ExportedTable } from "./table-order.ts";

/** The progress of an export. Everything before it is written. */
export interface ExportCheckpoint {
  readonly begunAt: string;
  /** The tables that are completely written. */
  readonly finished: readonly ExportedTable[];
  /** The last written partition of the next table. */
  readonly after?: string | undefined;
}

/** The destination of an export. */
export interface ExportTarget {
  /** The checkpoint of an interrupted export. Undefined for a new export. Removes everything that was written after the checkpoint. */
  resume(): Promise<ExportCheckpoint | undefined>;
  append(table: ExportedTable, lines: readonly string[]): Promise<void>;
  save(checkpoint: ExportCheckpoint): Promise<void>;
  readonly lines: Lines;
  finish(manifest: Manifest): Promise<void>;
}

/** How often a payment's partition is read again until its rows are consistent. If they never are, the manifest names the payment. */
const MOST_READS = 20;

/**
 * Writes every table except `Bells` to the target, partition by partition, while the platform runs. It only reads tables. A partition that
 * is not read a second time is written page by page, because a feed may be larger than the memory. The payments of a terminal are read one
 * after the other. An interrupted export continues after its last checkpoint, which is at the end of a partition. A damaged row is written as it is, and the manifest names it. Throws
 * `Unavailable`. It may be run again.
 */
export async function exportTables(
  tables: WholeTables,
  target: ExportTarget,
  { now }: { readonly now: () => string },
): Promise<Manifest> {
  let at = (await target.resume()) ?? { begunAt: now(), finished: [] };
  for (const table of exportedTables) {
    if (at.finished.includes(table)) continue;
    at = await exportTable(tables, target, table, at);
  }
  const manifest = await takeStock(target.lines, { begunAt: at.begunAt, endedAt: now() });
  await target.finish(manifest);
  return manifest;
}

async function exportTable(
  tables: WholeTables,
  target: ExportTarget,
  table: ExportedTable,
  checkpoint: ExportCheckpoint,
): Promise<ExportCheckpoint> {
  let at = checkpoint;
  let lines: string[] = [];
  let partition: string | undefined;
  const most = isReadAgain(table) ? Infinity : MOST_ROWS;
  const scanned = rowsOfFile(table, tables[storedTable(table)], at.after);
  for await (const { rows } of inSlices(scanned, most)) {
    const next = storedPartition(table, rows[0]?.partitionKey ?? "");
    const isOther = partition !== undefined && partition !== next;
    if (lines.length >= MOST_ROWS) {
      await target.append(table, lines);
      lines = [];
      if (isOther) await target.save((at = { ...at, after: partition }));
    }
    partition = next;
    lines = lines.concat((await asExported(tables, table, rows)).map(toLine));
  }
  if (lines.length > 0) await target.append(table, lines);
  at = { begunAt: at.begunAt, finished: [...at.finished, table] };
  await target.save(at);
  return at;
}

const isReadAgain = (table: ExportedTable): boolean => table === "payments" || secondLookOf(table) !== undefined;

/** The rows of a partition, or of a slice if the partition is not read again. No row lacks another row that it depends on. */
async function asExported(tables: WholeTables, table: ExportedTable, scanned: readonly Row[]): Promise<readonly Row[]> {
  const partitionKey = scanned[0]?.partitionKey ?? "";
  const look = secondLookOf(table);
  if (look) {
    const later = await tables[storedTable(table)].withPrefix(partitionKey, look.prefix);
    return [...scanned.filter(({ rowKey }) => !rowKey.startsWith(look.prefix)), ...later];
  }
  return table === "payments" ? ofOneMoment(tables, partitionKey, scanned) : scanned;
}

/** The rows of a payment, read again until they are consistent. */
async function ofOneMoment(
  { terminals }: WholeTables,
  partitionKey: string,
  scanned: readonly Row[],
): Promise<readonly Row[]> {
  let rows = scanned;
  for (let reads = 0; reads < MOST_READS && damageIn("payments", rows).length > 0; reads++)
    rows = (await terminals.withPrefix(storedPartition("payments", partitionKey), prefixOf(partitionKey))).flatMap(
      (row) => apart(row) ?? [],
    );
  return rows;
}
