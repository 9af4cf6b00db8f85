import type { z } from "zod";
import { Unavailable } from "../ports/failures.ts";
import type { Columns, Row } from "./rows.ts";

/** Every row carries the version of its shape; a reader takes its own and leaves a newer one to a newer instance. */
const VERSION = 1;
/** Table Storage keeps at most 32 Ki characters in one text property. */
const CHUNK = 30_000;
const MAX_CHUNKS = 12;

/** A record as columns: its JSON in as many text columns as it needs, beside those that an operator wants to see. */
export function toColumns(record: unknown, visible: Columns = {}): Columns {
  const json = JSON.stringify(record);
  const chunks = Math.ceil(json.length / CHUNK);
  if (chunks > MAX_CHUNKS) throw new Error(`a record of ${json.length} characters does not fit one row`);
  const data: Record<string, string> = {};
  for (let i = 0; i < chunks; i++) data[`data${i}`] = json.slice(i * CHUNK, (i + 1) * CHUNK);
  return { ...visible, ...data, v: VERSION };
}

/** Reads a record back through its schema. A row of a newer version is `Unavailable` here: it is kept for who can read it. */
export function fromRow<T>(row: Row, schema: z.ZodType<T>): T {
  const { v, ...columns } = row.columns;
  if (typeof v !== "number" || v > VERSION) {
    throw new Unavailable(`${row.rowKey} was written by version ${String(v)}, this one reads ${VERSION}`);
  }
  let json = "";
  for (let i = 0; typeof columns[`data${i}`] === "string"; i++) json += String(columns[`data${i}`]);
  return schema.parse(JSON.parse(json));
}
