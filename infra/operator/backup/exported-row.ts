import * as z from "zod";
import { storedJson } from "../../../shared/domain/texts.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import type { Columns, Row } from "../../../shared/ports/rows.ts";

/** One line of an export: a row with its record in readable form. */
const exportedRow = z.object({
  partition: z.string(),
  row: z.string(),
  /** The columns without the record. If the row's record cannot be restored exactly from JSON, all columns. */
  columns: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  record: z.unknown().optional(),
});

/** A row without its ETag, as an export holds it. */
export type PlainRow = Pick<Row, "partitionKey" | "rowKey" | "columns">;

/** The row as a line. No reader finds a line end in it, and `fromLine` returns the same row, whatever its texts hold. */
export function toLine({ partitionKey: partition, rowKey: row, columns }: PlainRow): string {
  const split = recordIn(columns);
  return storedJson({ partition, row, ...(split ?? { columns }) });
}

/** Reads a line. Throws if it is not a line of an export. */
export function fromLine(line: string): PlainRow {
  const { partition, row, columns, record } = exportedRow.parse(JSON.parse(line));
  return {
    partitionKey: partition,
    rowKey: row,
    columns: record === undefined ? columns : withRecord(columns, record),
  };
}

/** Keeps the row's own version. A later release may have a newer form, but still reads the record in this form. */
const withRecord = (columns: Columns, record: unknown): Columns => ({ ...toColumns(record), ...columns });

/** Splits the columns into the record and the others. Undefined if together they would not give the same columns again. */
function recordIn(columns: Columns): { readonly columns: Columns; readonly record: unknown } | undefined {
  const isData = (name: string) => /^data\d+$/.test(name);
  const names = Object.keys(columns);
  const json = names.filter(isData).map((_, i) => columns[`data${i}`]);
  if (json.length === 0 || columns["v"] === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(json.join(""));
    const visible = Object.fromEntries(Object.entries(columns).filter(([name]) => !isData(name)));
    return isSameColumns(withRecord(visible, record), columns) ? { columns: visible, record } : undefined;
  } catch {
    return undefined; // not a record of this app: its columns are exported unchanged
  }
}

export function isSameColumns(one: Columns, other: Columns): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
