import * as z from "zod";
import { toColumns } from "../../../shared/stores/record.ts";
import type { Columns, Row } from "../../../shared/ports/rows.ts";

/** One line of an export: a row, with its record as a person reads it. */
const exportedRow = z.object({
  partition: z.string(),
  row: z.string(),
  /** The columns beside the record; all of them where the row holds no record that can be written again as it is. */
  columns: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  record: z.unknown().optional(),
});

/** A row without its ETag, as an export holds it. */
export type PlainRow = Pick<Row, "partitionKey" | "rowKey" | "columns">;

export function toLine({ partitionKey: partition, rowKey: row, columns }: PlainRow): string {
  const split = recordIn(columns);
  return JSON.stringify({ partition, row, ...(split ?? { columns }) });
}

/** Reads a line. Throws where it is not one of an export. */
export function fromLine(line: string): PlainRow {
  const { partition, row, columns, record } = exportedRow.parse(JSON.parse(line));
  return {
    partitionKey: partition,
    rowKey: row,
    columns: record === undefined ? columns : withRecord(columns, record),
  };
}

/** The row's own version stays: a later release, whose newest form is another one, reads the record in the form that it has. */
const withRecord = (columns: Columns, record: unknown): Columns => ({ ...toColumns(record), ...columns });

/** The record and the other columns, where together they give the same columns again. */
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
    return undefined; // no record of this app: its columns are exported as they are
  }
}

export function isSameColumns(one: Columns, other: Columns): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
