import * as z from "zod";
import { storedJson } from "../../../shared/domain/texts.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import type { Columns, Row } from "../../../shared/ports/rows.ts";
import type { ExportedTable } from "./table-order.ts";

/** One line of an export: a row with its record in readable form. */
const exportedRow = z.object({
  partition: z.string(),
  row: z.string(),
  /** The columns without the record. If the row's record cannot be restored exactly from JSON, all columns. */
  columns: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  record: z.unknown().optional(),
});

/** The lines of a table's file, in order. */
export type Lines = (table: ExportedTable) => AsyncIterable<string>;

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

/** The rows of a table's file, in order. */
export async function* rowsOf(lines: Lines, table: ExportedTable): AsyncGenerator<PlainRow> {
  for await (const line of lines(table)) yield fromLine(line);
}

/** Keeps the row's own version. A later release may have a newer form, but still reads the record in this form. */
const withRecord = (columns: Columns, record: unknown): Columns => ({ ...toColumns(record), ...columns });

/** Splits the columns into the record and the others. Undefined if together they would not give the same columns again. */
function recordIn(columns: Columns): { readonly columns: Columns; readonly record: unknown } | undefined {
  const json = jsonIn(columns);
  if (json === undefined || columns["v"] === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(json);
    const visible = Object.fromEntries(Object.entries(columns).filter(([name]) => !isData(name)));
    return isSameColumns(withRecord(visible, record), columns) ? { columns: visible, record } : undefined;
  } catch {
    return undefined; // no record, or a damaged one: its columns are exported unchanged
  }
}

const isData = (name: string): boolean => /^data\d+$/.test(name);

/** The JSON of the row's record, which may be damaged. Undefined if the row has no record. */
export function jsonIn(columns: Columns): string | undefined {
  const names = Object.keys(columns).filter(isData);
  return names.length === 0 ? undefined : names.map((_, i) => columns[`data${i}`]).join("");
}

export function isSameColumns(one: Columns, other: Columns): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
