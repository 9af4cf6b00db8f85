import type { Table } from "../../../shared/stores/stores.ts";

/** What is read again at the end of a partition, because it depends on the rows before it. */
type SecondLook = { readonly prefix: string } | undefined;

/**
 * The tables in the order in which they are exported, so that what an export holds of one moment never lacks what it rests on. Terminals
 * and alerts come before payments: each slot that was used, and each alert, is of a change that the export holds. Orders and tokens come
 * after: what a payment took is taken. Within a partition, rows that depend on others are read after them.
 */
const tables = {
  terminals: { prefix: "inbox~" }, // a message whose slot is read afterwards would look answered
  alerts: undefined,
  payments: undefined,
  bookings: undefined, // each booking that a payment's command marks as done is there
  orders: undefined,
  landingPages: { prefix: "command~" }, // each request's commands are there; commands of later changes are left out by the import
  accessTokens: undefined,
  actionRequests: { prefix: "command~" },
  terminalDays: { prefix: "command~" },
  listings: undefined,
  partners: undefined,
  accessTokenTemplates: undefined,
  feeds: undefined, // last: an event that the others hold as delivered is there; the import reads the others beside it
} as const satisfies Record<ExportedTable, SecondLook>;

/** Nothing is lost with the bells: they are left out. */
export type ExportedTable = Exclude<Table, "bells">;
export const exportedTables = Object.keys(tables) as readonly ExportedTable[];
export const secondLookOf = (table: ExportedTable): SecondLook => tables[table];
