import type { z } from "zod";
import { storedJson } from "../domain/stored-text.ts";
import { Unavailable } from "../ports/failures.ts";
import type { Columns, Row } from "./rows.ts";

/** The version of a record's shape, which every row holds. A row of a newer version is left to an app that knows it. */
const VERSION = 1;
/** Table Storage keeps at most 32 Ki characters in one text property. */
const CHUNK = 30_000;
const MAX_CHUNKS = 12;

/**
 * A record as columns: its JSON in as many text columns as it needs, and the columns that an operator wants to see. Throws for a record
 * that does not fit one row.
 */
export function toColumns(record: unknown, visible: Columns = {}): Columns {
  const json = storedJson(record);
  const chunks = chunksOf(json);
  if (chunks.length > MAX_CHUNKS) throw new Error(`a record of ${json.length} characters does not fit one row`);
  const data = Object.fromEntries(chunks.map((chunk, i) => [`data${i}`, chunk]));
  return { ...visible, ...data, v: VERSION };
}

/** Cuts between code points: half a surrogate pair in a column of its own could not be written as UTF-8. */
function chunksOf(json: string): string[] {
  const chunks: string[] = [];
  for (let start = 0; start < json.length;) {
    const end = endsInPair(json, start + CHUNK) ? start + CHUNK - 1 : start + CHUNK;
    chunks.push(json.slice(start, end));
    start = end;
  }
  return chunks;
}

const endsInPair = (json: string, end: number): boolean => /[\ud800-\udbff]/.test(json.charAt(end - 1));

/**
 * Reads a record through its schema. Throws `Unavailable` for a row of a newer version: a process that can read it is left to act on it.
 */
export function fromRow<T>(row: Row, schema: z.ZodType<T>): T {
  const { v, ...columns } = row.columns;
  if (typeof v !== "number" || v > VERSION) {
    const why = `a row ${kindOf(row)} has version ${String(v)}, and this app reads version ${VERSION}`;
    throw new Unavailable(why, { isVersionAhead: true });
  }
  let json = "";
  for (let i = 0; typeof columns[`data${i}`] === "string"; i++) json += String(columns[`data${i}`]);
  return schema.parse(JSON.parse(json));
}

/** The first part of a row's key; the rest names somebody. */
const kindOf = ({ rowKey }: Row): string => /^\w*/.exec(rowKey)?.[0] ?? "";
