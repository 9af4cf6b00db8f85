import { shownText } from "../../../shared/domain/texts.ts";
import type { Command } from "./command.ts";

/**
 * A command's result for people. A text is shown unchanged, an array as a table or as records, anything else as lines of name and value.
 *
 * @param width the columns of the operator's terminal; undefined if the result goes into a file or a pipe
 */
export function shownResult(result: unknown, { as, columns }: Pick<Command, "as" | "columns">, width?: number): string {
  if (typeof result === "string") return result;
  if (!Array.isArray(result)) return lines(result).join("\n");
  if (result.length === 0) return "There are none.";
  return as === "records"
    ? result.map((one) => lines(one).join("\n")).join("\n\n")
    : table(result, { columns, width }).join("\n");
}

interface Layout {
  readonly columns?: readonly string[] | undefined;
  readonly width?: number | undefined;
}

/**
 * Aligned columns under the names of the members, without members that no row has. A cell is empty if its member is undefined. The last
 * column is wrapped to the terminal's width.
 */
function table(rows: readonly unknown[], { columns, width = Infinity }: Layout = {}): string[] {
  const records = rows.map(membersOf);
  const known = new Set(records.flatMap((record) => Object.keys(record)));
  const names = columns?.filter((name) => known.has(name)) ?? [...known];
  const cells = [names, ...records.map((record) => names.map((name) => cell(record[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.flatMap((row) => {
    const aligned = row.slice(0, -1).map((text, column) => `${text.padEnd(widths[column] ?? 0)}  `);
    const start = aligned.join("");
    const [first = "", ...more] = folded(row.at(-1) ?? "", width - start.length);
    return [`${start}${first}`.trimEnd(), ...more.map((line) => " ".repeat(start.length) + line)];
  });
}

/** The fewest columns in which a text is readable. An identifier fits. */
const MIN_ROOM = 36;

/** Wraps a text between words into lines of at most `room` columns. Returns one line if there is too little room. */
function folded(text: string, room: number): readonly string[] {
  if (text.length <= room || room < MIN_ROOM) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** One `name value` line for each member. An array of objects becomes a table below its name, and an array of sentences becomes lines. */
function lines(record: unknown): string[] {
  const members = Object.entries(membersOf(record)).filter(([, value]) => value !== undefined);
  const width = Math.max(...members.map(([name]) => name.length));
  return members.flatMap(([name, value]) =>
    isTable(value) || isText(value)
      ? [name, ...(isText(value) ? value.map(cell) : table(value)).map((line) => `  ${line}`)]
      : [`${name.padEnd(width)}  ${cell(value)}`.trimEnd()],
  );
}

const isTable = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object" && one !== null);

/** Whether the value is a list of sentences, to be shown one on each line. */
const isText = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one.endsWith("."));

const membersOf = (record: unknown): Readonly<Record<string, unknown>> =>
  typeof record === "object" && record !== null && !Array.isArray(record) ? { ...record } : { value: record };

/** A value on one line. A stored text must not control the operator's terminal. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(cell).join(", ");
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.map(([name, member]) => `${name}=${cell(member)}`).join(" ");
}
