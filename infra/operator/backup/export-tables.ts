import type { WholeTables } from "../../../shared/stores/stores.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import { toLine, type Lines } from "./exported-row.ts";
import { takeStock, type Manifest } from "./manifest.ts";
import { damageIn } from "./damage.ts";
import { exportedTables, secondLookOf, type ExportedTable } from "./table-order.ts";
import { isMark, isOfSession, MOST_ROWS, unitsOf, type Unit } from "./units.ts";

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

/** How often a payment is read again until its rows are consistent. If they never are, the manifest names the payment. */
const MOST_READS = 20;

/**
 * Writes every table except `Bells` to the target, partition by partition, while the platform runs. It only reads tables. It holds one
 * payment or some rows in memory, because a partition may be larger than the memory. An interrupted export continues after its last
 * checkpoint, which is at the end of a partition. A damaged row is written as it is, and the manifest names it. Throws `Unavailable`. It
 * may be run again.
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
  let unsaved = 0;
  for await (const unit of unitsOf(table, exportedRows(tables, table, at.after))) {
    const rows = await asExported(tables, table, unit);
    lines = lines.concat(rows.map(toLine));
    unsaved += rows.length;
    if ((unit.isLast ? unsaved : lines.length) < MOST_ROWS) continue;
    await target.append(table, lines);
    lines = [];
    if (!unit.isLast) continue;
    await target.save((at = { ...at, after: unit.partitionKey }));
    unsaved = 0;
  }
  if (lines.length > 0) await target.append(table, lines);
  at = { begunAt: at.begunAt, finished: [...at.finished, table] };
  await target.save(at);
  return at;
}

/** The rows of a table that are exported. */
export async function* exportedRows(tables: WholeTables, table: ExportedTable, after?: string): AsyncGenerator<Row> {
  for await (const row of tables[table].rowsAfter(after)) if (!isMark(row, table)) yield row;
}

/** The rows of a unit. No row lacks another row that it depends on. */
async function asExported(tables: WholeTables, table: ExportedTable, unit: Unit<Row>): Promise<readonly Row[]> {
  const look = secondLookOf(table);
  if (!look) return ofOneMoment(tables, table, unit);
  const later = await tables[table].withPrefix(unit.partitionKey, look.prefix);
  return [...unit.rows.filter(({ rowKey }) => !rowKey.startsWith(look.prefix)), ...later];
}

/** The rows of a unit. Those of a payment are read again until they are consistent. */
async function ofOneMoment(
  tables: WholeTables,
  table: ExportedTable,
  { partitionKey, prefix, rows: scanned }: Unit<Row>,
): Promise<readonly Row[]> {
  let rows = scanned;
  if (!isOfSession({ prefix })) return rows;
  for (let reads = 0; reads < MOST_READS && damageIn(table, { prefix, rows }).length > 0; reads++)
    rows = await tables[table].withPrefix(partitionKey, prefix);
  return rows;
}
