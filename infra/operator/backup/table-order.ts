import * as z from "zod";
import type { Table } from "../../../shared/stores/stores.ts";

/** The rows to read again at the end of a partition, because they depend on the rows before them. */
type SecondLook = { readonly prefix: string } | undefined;

/**
 * The tables in export order. In this order, no exported row lacks a row that it depends on. Days come before payments, and payments before
 * bookings, so a closed day has all its bookings, and each of these has its change. Terminals come before action requests, so the
 * export holds the command of each filed response. Alerts come before payments, so it holds the change of each alert. Orders and tokens
 * come after payments, so everything that a payment took is marked as taken. Within a partition, dependent rows are read last.
 */
const tables = {
  days: undefined,
  terminals: undefined,
  alerts: undefined,
  terminalDays: undefined, // each day's own row comes before its commands
  payments: undefined,
  bookings: undefined, // the export holds each booking of an exported payment, and of a day that was closed when it was read
  orders: undefined,
  landingPages: { prefix: "command~" }, // holds the commands of each request; the import leaves out commands of later changes
  accessTokens: undefined,
  actionRequests: { prefix: "command~" },
  sessions: undefined, // each exported payment has its session here
  partners: undefined,
  accessTokenTemplates: undefined,
  feeds: undefined, // last: holds each event that other tables mark as delivered
} as const satisfies Record<ExportedTable, SecondLook>;

/** The bells hold no lasting data, so they are left out. The business days, payments and bookings of the terminals have files of their own. */
export type ExportedTable = Exclude<Table, "bells"> | "terminalDays" | "payments" | "bookings";
export const exportedTables = Object.keys(tables) as readonly ExportedTable[];
export const tableRecord = z.enum(exportedTables as [ExportedTable, ...ExportedTable[]]);
export const secondLookOf = (table: ExportedTable): SecondLook => tables[table];
