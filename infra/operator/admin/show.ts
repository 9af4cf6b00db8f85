import { shownText } from "../../../shared/domain/texts.ts";
import type { Command } from "./command.ts";

/**
 * A command's result for people. A text is shown unchanged, an array as a table or as records, anything else as lines of name and value.
 * Texts are wrapped between words. A word, such as an identifier, and a command to copy are never cut or wrapped.
 *
 * @param width the columns of the operator's terminal; undefined if the result goes into a file or a pipe
 */
export function shownResult(
  result: unknown,
  { as, columns }: Pick<Command, "as" | "columns">,
  width = Infinity,
): string {
  if (typeof result === "string") return result;
  if (!Array.isArray(result)) return lines(result, width).join("\n");
  if (result.length === 0) return "There are none.";
  return as === "records"
    ? result.map((one) => lines(one, width).join("\n")).join("\n\n")
    : table(result, width, columns).join("\n");
}

/** A column with its name and its texts. */
interface Column {
  readonly name: string;
  readonly texts: readonly string[];
  readonly width: number;
  /** The width down to which it may be wrapped. */
  readonly least: number;
}

/** A column of at most this width is not wrapped, and no column is wrapped to less. */
const NARROW = 24;
const GAP = "  ";
/** The indentation of a column that is shown below its row. */
const BELOW = " ".repeat(4);

/**
 * Aligned columns under the names of the members, without members that no row has. A cell is empty if its member is undefined. Columns for
 * which the terminal has no room, the widest first, are shown below their rows.
 */
function table(rows: readonly unknown[], width: number, columns?: readonly string[]): string[] {
  const records = rows.map(membersOf);
  const members = new Set(records.flatMap((record) => Object.keys(record)));
  const names = (columns ?? [...members]).filter((name) => records.some((record) => record[name] !== undefined));
  const all = names.map((name) =>
    columnOf(
      name,
      records.map((record) => cell(record[name])),
    ),
  );
  const beside = fitting(all, width);
  const below = all.filter(({ name }) => !beside.some((column) => column.name === name));
  const title = rowLines(
    beside,
    beside.map(({ name }) => name),
  );
  return [
    ...title,
    ...records.flatMap((_, row) => [
      ...rowLines(
        beside,
        beside.map(({ texts }) => texts[row] ?? ""),
      ),
      ...labelled(
        below.map(({ name, texts }) => [name, texts[row] ?? ""] as const).filter(([, text]) => text !== ""),
        width - BELOW.length,
      ).map((line) => `${BELOW}${line}`),
    ]),
  ];
}

function columnOf(name: string, texts: readonly string[]): Column {
  const width = Math.max(...[name, ...texts].map(({ length }) => length));
  const longest = Math.max(...[name, ...texts].flatMap(wordsOf).map(({ length }) => length));
  return { name, texts, width, least: Math.min(width, Math.max(longest, NARROW)) };
}

const widthOf = (columns: readonly Column[], of: "width" | "least"): number =>
  columns.reduce((sum, column) => sum + column[of] + GAP.length, -GAP.length);

/** The columns that fit beside each other, with their widths. The first one always does. */
function fitting(all: readonly Column[], width: number): readonly Column[] {
  const [first, ...others] = all;
  if (first && others.length > 0 && widthOf(all, "least") > width) {
    const widest = Math.max(...others.map((column) => column.width));
    const moved = others.findLastIndex((column) => column.width === widest);
    return fitting([first, ...others.toSpliced(moved, 1)], width);
  }
  return narrowed(all, widthOf(all, "width") - width);
}

/** The columns with widths that are less by this excess. The widest columns that may be wrapped get narrower. */
function narrowed(columns: readonly Column[], excess: number): readonly Column[] {
  const widest = Math.max(...columns.filter(({ width, least }) => width > least).map(({ width }) => width));
  if (!(excess > 0) || widest < 0) return columns;
  const at = columns.findIndex(({ width, least }) => width === widest && width > least);
  const less = Math.min(excess, widest - (columns[at]?.least ?? widest));
  return narrowed(
    columns.map((column, i) => (i === at ? { ...column, width: widest - less } : column)),
    excess - less,
  );
}

/** One row of cells, on as many lines as its highest cell. */
function rowLines(columns: readonly Column[], texts: readonly string[]): string[] {
  const cells = columns.map(({ width }, i) => folded(texts[i] ?? "", width));
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
    columns
      .map(({ width }, i) => (cells[i]?.[line] ?? "").padEnd(width))
      .join(GAP)
      .trimEnd(),
  );
}

/** Wraps a text between words into lines of at most `room` columns. A longer word has a line of its own. */
function folded(text: string, room: number): readonly string[] {
  if (text.length <= room || room < NARROW) return [text];
  const lines: string[] = [];
  for (const word of wordsOf(text)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** The words of a text. A command is one word: with a line end in it, it could not be copied. */
const wordsOf = (text: string): readonly string[] =>
  isCommand.test(text) ? [text] : (text.match(/(?:`[^`]*`|[^ `]|`)+/g) ?? [""]);

const isCommand = /^(?:npm run|npx|az|export) /;

/** A line for each name and its value. The value is wrapped beside its name. */
function labelled(members: readonly (readonly [name: string, text: string])[], width: number): string[] {
  const start = Math.max(...members.map(([name]) => name.length)) + GAP.length;
  return members.flatMap(([name, text]) => {
    const [first = "", ...more] = folded(text, width - start);
    return [`${name.padEnd(start)}${first}`.trimEnd(), ...more.map((line) => " ".repeat(start) + line)];
  });
}

/** A line for each member. An array of objects becomes a table below its name, and an array of sentences becomes lines. */
function lines(record: unknown, width: number): string[] {
  const members = Object.entries(membersOf(record)).filter(([, value]) => value !== undefined);
  const longest = Math.max(...members.map(([name]) => name.length));
  const room = width - GAP.length;
  return members.flatMap(([name, value]) => {
    if (isText(value))
      return [name, ...value.flatMap((text) => folded(cell(text), room)).map((line) => `${GAP}${line}`)];
    if (isTable(value)) return [name, ...table(value, room).map((line) => `${GAP}${line}`)];
    return labelled([[name.padEnd(longest), cell(value)]], width);
  });
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
