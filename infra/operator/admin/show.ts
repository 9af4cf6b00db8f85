import type { Command } from "./command.ts";

/**
 * A command's result for people: a text as it is, an array as a table or as records, anything else as lines of name and value.
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

/** Aligned columns under the names of the members; empty where a member is undefined. The last one is folded to the terminal's width. */
function table(rows: readonly unknown[], { columns, width = Infinity }: Layout = {}): string[] {
  const records = rows.map(membersOf);
  const names = columns ?? [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cells = [names, ...records.map((record) => names.map((name) => cell(record[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.flatMap((row) => {
    const aligned = row.slice(0, -1).map((text, column) => `${text.padEnd(widths[column] ?? 0)}  `);
    const start = aligned.join("");
    const [first = "", ...more] = folded(row.at(-1) ?? "", width - start.length);
    return [`${start}${first}`.trimEnd(), ...more.map((line) => " ".repeat(start.length) + line)];
  });
}

/** The fewest columns in which a text can be read: an identifier fits. */
const MIN_ROOM = 36;

/** A text in lines of at most so many columns, between words; one line where there is too little room to read it. */
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

/** `name  value`, one member a line; an array of objects as a table below its name, and one of sentences as lines. */
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

/** Several sentences, of which each is a line. */
const isText = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one.endsWith("."));

const membersOf = (record: unknown): Readonly<Record<string, unknown>> =>
  typeof record === "object" && record !== null && !Array.isArray(record) ? { ...record } : { value: record };

/** A value in one line. Control characters become spaces: a stored text must not steer the operator's terminal. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(cell).join(", ");
  if (typeof value === "string") return value.replaceAll(/\p{Cc}+/gu, " ");
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.map(([name, member]) => `${name}=${cell(member)}`).join(" ");
}
