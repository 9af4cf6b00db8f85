import * as z from "zod";
import type { Table } from "../../../shared/stores/stores.ts";

/** The rows to read again at the end of a partition, because they depend on the rows before them. */
type SecondLook = { readonly prefix: string } | undefined;

/**
 * The tables in export order. In this order, no exported row lacks a row that it depends on. Days come before terminals, so a closed day has
 * all its terminals. Alerts come before terminals, so the export holds the change of each alert. Orders and tokens come after them, so
 * everything that a payment took is marked as taken. Within a partition, dependent rows are read last: by their keys, a terminal's business
 * days come before its payments.
 */
const tables = {
  days: undefined,
  alerts: undefined,
  terminals: undefined,
  orders: undefined,
  landingPages: { prefix: "command~" }, // holds the commands of each request; the import leaves out commands of later changes
  accessTokens: undefined,
  actionRequests: { prefix: "command~" },
  sessions: undefined, // each exported payment has its session here
  partners: undefined,
  accessTokenTemplates: undefined,
  feeds: undefined, // last: holds each event that other tables mark as delivered
} as const satisfies Record<ExportedTable, SecondLook>;

/** The bells hold no lasting data, so they are left out. */
export type ExportedTable = Exclude<Table, "bells">;
export const exportedTables = Object.keys(tables) as readonly ExportedTable[];
export const tableRecord = z.enum(exportedTables as [ExportedTable, ...ExportedTable[]]);
export const secondLookOf = (table: ExportedTable): SecondLook => tables[table];

/**
 * The tables in import order. Terminals come after the tables that a restored payment may have to complete. Action requests come after
 * terminals, because their responses are in the inboxes.
 */
export const importedTables: readonly ExportedTable[] = [
  ...exportedTables.filter((table) => table !== "terminals" && table !== "actionRequests"),
  "terminals",
  "actionRequests",
];
