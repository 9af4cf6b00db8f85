import { accessTokenTemplatesTable } from "./access-token-templates.ts";
import { accessTokensTable } from "./access-tokens.ts";
import { actionRequestsTable } from "./action-requests.ts";
import { alertsTable } from "./alerts.ts";
import { bellsTable } from "./rung-bells.ts";
import { bookingsTable } from "./bookings.ts";
import { codeKeyDaysTable } from "./code-key-days.ts";
import { commandsTable } from "./commands.ts";
import { feedsTable } from "./feeds.ts";
import { idempotencyKeysTable } from "./idempotency-keys.ts";
import { inboxesTable } from "./inboxes.ts";
import { landingPagesTable } from "./landing-pages.ts";
import { marksTable } from "./marks.ts";
import { operatorActionsTable } from "./operator-actions.ts";
import { ordersTable } from "./orders.ts";
import { partnerDaysTable } from "./partner-days.ts";
import { partnersTable } from "./partners.ts";
import { paymentsTable } from "./payments.ts";
import { retentionTables } from "./retention-tables.ts";
import type { Rows, WholeTable } from "../ports/rows.ts";
import { sessionsTable } from "./sessions.ts";
import { tableNames } from "./table-names.ts";
import { terminalDaysTable } from "./terminal-days.ts";
import { terminalsTable } from "./terminals.ts";

export type Table = keyof typeof tableNames;

/** The platform's tables, ready for use. */
export type Tables = Readonly<Record<Table, Rows>>;

/** The platform's tables, each of which can also be read as a whole. */
export type WholeTables = Readonly<Record<Table, Rows & WholeTable>>;

/** Makes the `Rows` of every table that the platform has. */
export const eachTable = <R extends Rows>(rowsOf: (table: Table) => R): Readonly<Record<Table, R>> =>
  Object.fromEntries((Object.keys(tableNames) as Table[]).map((table) => [table, rowsOf(table)])) as Record<Table, R>;

/**
 * Every port that is built on tables. The app, the operator's commands, seeds, tests and the simulation use this one wiring, so that all
 * have the same ports.
 */
export const tablePorts = (tables: Tables) => ({
  payments: paymentsTable(tables.terminals),
  commands: commandsTable(tables),
  actionRequests: actionRequestsTable(tables.actionRequests),
  accessTokens: accessTokensTable(tables.accessTokens),
  accessTokenTemplates: accessTokenTemplatesTable(tables.accessTokenTemplates),
  codeKeyDays: codeKeyDaysTable(tables.accessTokens),
  alerts: alertsTable(tables.alerts),
  feeds: feedsTable(tables.feeds),
  landingPages: landingPagesTable(tables.landingPages),
  marks: marksTable(tables),
  sessions: sessionsTable(tables.sessions),
  idempotencyKeys: idempotencyKeysTable(tables.sessions),
  terminals: terminalsTable(tables.terminals),
  terminalDays: terminalDaysTable(tables.terminals),
  inboxes: inboxesTable(tables.terminals),
  operatorActions: operatorActionsTable(tables.partners),
  orders: ordersTable(tables.orders),
  bookings: bookingsTable(tables.terminals),
  partnerDays: partnerDaysTable(tables.days),
  partners: partnersTable(tables.partners),
  rungBells: bellsTable(tables.bells),
  retention: retentionTables(tables),
});
export type TablePorts = ReturnType<typeof tablePorts>;
