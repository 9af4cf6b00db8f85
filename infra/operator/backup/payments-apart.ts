import type { Row, WholeTable } from "../../../shared/ports/rows.ts";
import {
  BOOKING_PREFIX,
  LATE_BOOKING_PREFIX,
  PAYMENTS_PREFIX,
  TERMINAL_DAY_PREFIX,
} from "../../../shared/stores/keys.ts";
import { CHANGED_PREFIX, OPEN_PREFIX } from "../../../shared/stores/subject-rows.ts";
import type { Table } from "../../../shared/stores/stores.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import type { PlainRow } from "./exported-row.ts";
import type { ExportedTable } from "./table-order.ts";

// A terminal's partition may hold years of payments. So an export has a file of payments, in which each payment is a partition of its own:
// `<terminal>~<session>`. Its rows lack the prefix that they share. Business days and bookings have files, too, because days are
// read before payments, and bookings after them. Marks are in no file: the import derives them.

/** The key of a payment's own row, and the prefixes of its other rows, in the files of an export. */
export const OWN_ROW = "now";
export const HISTORY = "history~";
export const REPORTS = "report~";

/** The table that holds the rows of this file. */
export const storedTable = (table: ExportedTable): Table =>
  table === "payments" || table === "terminalDays" || table === "bookings" ? "terminals" : table;

/** The name of the file, and of its rows in texts for the operator. */
export function fileName(table: ExportedTable): string {
  switch (table) {
    case "terminalDays":
      return "TerminalDays";
    case "payments":
      return "Payments";
    case "bookings":
      return "Bookings";
    default:
      return tableNames[table];
  }
}

/** The partition that holds the rows of this partition of a file. */
export const storedPartition = (table: ExportedTable, partitionKey: string): string =>
  table === "payments" ? partsOf(partitionKey).terminal : partitionKey;

/** The prefix of a payment's rows in the partition of its terminal. */
export const prefixOf = (partitionKey: string): string => `${PAYMENTS_PREFIX}${partsOf(partitionKey).session}~`;

function partsOf(partitionKey: string): { readonly terminal: string; readonly session: string } {
  const [terminal = "", session = ""] = partitionKey.split("~");
  return { terminal, session };
}

/** The row of a payment as its file holds it. Undefined for any other row. */
export function apart<R extends PlainRow>(row: R): R | undefined {
  if (!row.rowKey.startsWith(PAYMENTS_PREFIX)) return undefined;
  const [, session = "", ...rest] = row.rowKey.split("~");
  return { ...row, partitionKey: `${row.partitionKey}~${session}`, rowKey: rest.join("~") };
}

/** A row of a file as its table holds it. */
export const together = (table: ExportedTable, row: PlainRow): PlainRow =>
  table === "payments"
    ? {
        ...row,
        partitionKey: storedPartition(table, row.partitionKey),
        rowKey: prefixOf(row.partitionKey) + row.rowKey,
      }
    : row;

/** The rows of a file, from those of its table after the named partition. */
export async function* rowsOfFile(table: ExportedTable, stored: WholeTable, after?: string): AsyncGenerator<Row> {
  for await (const row of stored.rowsAfter(after)) {
    const file = fileOf(storedTable(table), row.rowKey);
    if (file === table) yield (table === "payments" ? apart(row) : undefined) ?? row;
  }
}

/** The file of a stored row. Undefined for a mark. */
function fileOf(table: Table, rowKey: string): Table | ExportedTable | undefined {
  if (!isMarked(table)) return table;
  if (rowKey.startsWith(OPEN_PREFIX) || rowKey.startsWith(CHANGED_PREFIX)) return undefined;
  if (table !== "terminals") return table;
  if (rowKey.startsWith(TERMINAL_DAY_PREFIX)) return "terminalDays";
  if (rowKey.startsWith(BOOKING_PREFIX) || rowKey.startsWith(LATE_BOOKING_PREFIX)) return "bookings";
  return rowKey.startsWith(PAYMENTS_PREFIX) ? "payments" : table;
}

const isMarked = (table: Table): boolean =>
  table === "terminals" || table === "actionRequests" || table === "landingPages";
