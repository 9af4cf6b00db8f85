import type * as z from "zod";
import { formOf, newestOf, newestVersion, storedForms, versionsOf, type StoredForms } from "../ports/stored-forms.ts";
import { storedJson } from "../domain/texts.ts";
import { Unavailable } from "../ports/failures.ts";
import type { Columns, Row } from "../ports/rows.ts";
import { kindOfRow } from "./row-kind.ts";

/** Table Storage keeps at most 32 Ki characters in one text property. */
const CHUNK = 30_000;
const MAX_CHUNKS = 16;

/**
 * A record as columns, in the newest form: its JSON in as many text columns as it needs, and the columns that an operator wants to see.
 * Throws if the record does not fit one row.
 */
export function toColumns(record: unknown, visible: Columns = {}): Columns {
  return { ...visible, ...dataOf(record), v: newestVersion };
}

function dataOf(record: unknown): Columns {
  const json = storedJson(record);
  const chunks = chunksOf(json);
  if (chunks.length > MAX_CHUNKS) throw new Error(`a record of ${json.length} characters does not fit one row`);
  return Object.fromEntries(chunks.map((chunk, i) => [`data${i}`, chunk]));
}

/** Cuts between code points. Half a surrogate pair in a column of its own could not be written as UTF-8. */
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
 * Reads a record of any version that this release knows, and checks it with its schema. Throws `Unavailable` for a row of another version,
 * which is left to a process that can read it.
 */
export function fromRow<T>(row: Row, schema: z.ZodType<T>, forms: StoredForms = storedForms): T {
  const { v } = row.columns;
  const form = typeof v === "number" && forms[v];
  if (!form) {
    const why = `a row ${kindOfRow(row.rowKey)} has version ${String(v)}, and this app reads version ${versionsOf(forms).join(" and ")}`;
    throw new Unavailable(why, { isVersionAhead: true });
  }
  return schema.parse(form.read(recordIn(row.columns)));
}

function recordIn(columns: Columns): unknown {
  let json = "";
  for (let i = 0; typeof columns[`data${i}`] === "string"; i++) json += String(columns[`data${i}`]);
  return JSON.parse(json);
}

/**
 * The columns of `toColumns` in the form of a version. Columns that are not of the newest version stay as they are. Throws for a version
 * that this release does not know.
 */
export function inForm(columns: Columns, version: number, forms: StoredForms = storedForms): Columns {
  const newest = newestOf(forms);
  if (version === newest || columns["v"] !== newest) return columns;
  const visible = Object.entries(columns).filter(([name]) => !/^data\d+$/.test(name));
  return { ...Object.fromEntries(visible), ...dataOf(formOf(version, forms).write(recordIn(columns))), v: version };
}
