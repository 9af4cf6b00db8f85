import type { Command } from "./command.ts";

/** A command's result for people: a text as it is, an array as a table or as records, anything else as lines of name and value. */
export function shownResult(result: unknown, { as, columns }: Pick<Command, "as" | "columns">): string {
  if (typeof result === "string") return result;
  if (!Array.isArray(result)) return lines(result).join("\n");
  if (result.length === 0) return "There are none.";
  return as === "records" ? result.map((one) => lines(one).join("\n")).join("\n\n") : table(result, columns).join("\n");
}

/** Aligned columns under the names of the members; empty where a member is undefined. */
function table(rows: readonly unknown[], columns?: readonly string[]): string[] {
  const records = rows.map(membersOf);
  const names = columns ?? [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cells = [names, ...records.map((record) => names.map((name) => cell(record[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
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
