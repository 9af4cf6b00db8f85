import { paymentPrefixIn, TERMINAL_DAY_PREFIX } from "../../../shared/stores/keys.ts";
import { CHANGED_PREFIX, OPEN_PREFIX } from "../../../shared/stores/subject-rows.ts";
import type { PlainRow } from "./exported-row.ts";
import type { ExportedTable } from "./table-order.ts";

/** The most rows of a unit whose rows are judged each by itself, so that a large partition is never held in memory as a whole. */
export const MOST_ROWS = 1_000;

/** The rows of one partition that are read, judged and restored together. */
export interface Unit<R extends PlainRow = PlainRow> {
  readonly partitionKey: string;
  /** The prefix of the keys of a payment or of a terminal's business day. Empty if the rows are judged each by itself. */
  readonly prefix: string;
  /** One row at least. */
  readonly rows: readonly R[];
  /** Whether these are the last rows of the partition. */
  readonly isLast: boolean;
}

/** The tables whose partitions are units, because their rows depend on each other. */
const wholePartitions: ReadonlySet<ExportedTable> = new Set(["alerts", "actionRequests", "landingPages"]);

/**
 * The rows of a table unit by unit. A terminal's partition may hold years, so each of its payments and business days is a unit of its own.
 */
export async function* unitsOf<R extends PlainRow>(
  table: ExportedTable,
  rows: AsyncIterable<R>,
): AsyncGenerator<Unit<R>> {
  const most = wholePartitions.has(table) ? Infinity : MOST_ROWS;
  let unit: (PartOf & { readonly rows: R[] }) | undefined;
  for await (const row of rows) {
    const { partitionKey, rowKey } = row;
    const next = { partitionKey, prefix: table === "terminals" ? prefixOf(rowKey) : "" };
    if (unit && isSame(unit, next) && (next.prefix !== "" || unit.rows.length < most)) {
      unit.rows.push(row);
      continue;
    }
    if (unit) yield { ...unit, isLast: unit.partitionKey !== partitionKey };
    unit = { ...next, rows: [row] };
  }
  if (unit) yield { ...unit, isLast: true };
}

type PartOf = Pick<Unit, "partitionKey" | "prefix">;
const isSame = (one: PartOf, other: PartOf): boolean =>
  one.partitionKey === other.partitionKey && one.prefix === other.prefix;

const prefixOf = (rowKey: string): string =>
  paymentPrefixIn(rowKey) ?? (rowKey.startsWith(TERMINAL_DAY_PREFIX) ? rowKey.split("~", 2).join("~") : "");

/** Whether the unit holds the rows of a session: its payment, or why it has none. */
export const isOfSession = ({ prefix }: Pick<Unit, "prefix">): boolean => paymentPrefixIn(prefix) !== undefined;
export const isOfDay = ({ prefix }: Pick<Unit, "prefix">): boolean => prefix.startsWith(TERMINAL_DAY_PREFIX);

/** A session as the manifest and the operator name it: `<terminalID>~<sessionID>`. */
export const nameOfSession = ({ partitionKey, rowKey }: Pick<PlainRow, "partitionKey" | "rowKey">): string =>
  [partitionKey, rowKey.split("~")[1]].join("~");

/** Marks are not exported: the import derives them. */
export const isMark = ({ rowKey }: Pick<PlainRow, "rowKey">, table: ExportedTable): boolean =>
  markedTables.has(table) && (rowKey.startsWith(OPEN_PREFIX) || rowKey.startsWith(CHANGED_PREFIX));
const markedTables: ReadonlySet<ExportedTable> = new Set(["terminals", "actionRequests", "landingPages"]);
