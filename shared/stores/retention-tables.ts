import { alertRecord } from "../domain/alert.ts";
import { attemptRecord } from "./commands.ts";
import { dayEntryRecord } from "./listings.ts";
import { passedRecord, type DayEntry, type Retention } from "./retention.ts";
import { feedRetention } from "./feed-retention.ts";
import {
  actionPartition,
  actionRow,
  ALERT_PREFIX,
  alertRow,
  ALERTS_PARTITION,
  BOOKED_DAY_PREFIX,
  BOOKED_DAYS_PARTITION,
  bookedDayRow,
  bookingsPartition,
  inboxPrefix,
  orderPartition,
  orderRow,
  passedRow,
  paymentPrefix,
  paymentRow,
  PURGE_PARTITION,
  closingsPrefix,
  filedPrefix,
  terminalDayPartition,
  terminalDayRow,
  terminalPartition,
} from "./keys.ts";
import {
  locate,
  commandsPrefix,
  DAY_LIST_PREFIX,
  dayListPrefix,
  dayListRow,
  listingShardOf,
  listingShards,
  listPartition,
  webhooksPrefix,
} from "./subject-rows.ts";
import { bookedDayEntryRecord } from "./bookings.ts";
import { isTombstone } from "./payments.ts";
import { fromRow, toColumns } from "./record.ts";
import { ownRow, removeRows, removeSubject } from "./remove-rows.ts";
import type { Rows } from "../ports/rows.ts";
import { tokenRetention } from "./token-retention.ts";

type Purged =
  | "terminals"
  | "orders"
  | "actionRequests"
  | "landingPages"
  | "accessTokens"
  | "terminalDays"
  | "alerts"
  | "feeds"
  | "bookings"
  | "listings";

/** Removes records from all tables permanently. */
export const retentionTables = (tables: Readonly<Record<Purged, Rows>>): Retention => ({
  ...dayLists(tables.listings),
  ...payments(tables),
  ...actionRequests(tables.actionRequests),
  ...terminalDays(tables.terminalDays),
  ...alerts(tables.alerts),
  ...bookings(tables.bookings),
  ...tokenRetention(tables),
  ...feedRetention(tables.feeds),
});

const dayLists = (
  rows: Rows,
): Pick<Retention, "oldestDay" | "isListedIn" | "entriesOf" | "leaveDay" | "passed" | "savePassed"> => ({
  async oldestDay() {
    const firsts = listingShards.map((shard) => rows.withPrefix(listPartition(shard), DAY_LIST_PREFIX, 1));
    const days = (await Promise.all(firsts)).flat().map(({ rowKey }) => rowKey.split("~")[1] ?? "");
    return days.toSorted()[0];
  },
  async isListedIn(period) {
    const prefix = `${DAY_LIST_PREFIX}${period}-`;
    const firsts = listingShards.map((shard) => rows.withPrefix(listPartition(shard), prefix, 1));
    return (await Promise.all(firsts)).flat().length > 0;
  },
  async entriesOf(day, kind) {
    const lists = listingShards.map((shard) => rows.withPrefix(listPartition(shard), dayListPrefix(day, kind)));
    return (await Promise.all(lists)).flat().map((row) => {
      const subject = fromRow(row, dayEntryRecord).subject as DayEntry<typeof kind>["subject"]; // its key names the kind
      return { day, subject, etag: row.etag };
    });
  },
  async leaveDay({ day, subject, etag }) {
    await rows.remove(listPartition(listingShardOf(subject)), dayListRow(day, subject), etag);
  },
  async passed(kind) {
    const row = await rows.get(PURGE_PARTITION, passedRow(kind));
    return row && { ...fromRow(row, passedRecord), etag: row.etag };
  },
  async savePassed(kind, before, read) {
    const written = { rowKey: passedRow(kind), columns: toColumns({ before }) };
    await rows.submit(PURGE_PARTITION, [
      read ? { kind: "replace", ...written, etag: read.etag } : { kind: "insert", ...written },
    ]);
  },
});

const payments = (
  tables: Readonly<Record<"terminals" | "orders" | "actionRequests" | "landingPages" | "terminalDays", Rows>>,
): Pick<Retention, "removePayment" | "messagesOf" | "removeMessages" | "removeOrder" | "removeAttempts"> => ({
  async removePayment(key, etag) {
    const partition = terminalPartition(key.terminalId);
    const found = await tables.terminals.withPrefix(partition, paymentPrefix(key));
    const now = found.find(({ rowKey }) => rowKey === paymentRow(key));
    if (etag === undefined && (!now || isTombstone(now))) return removeRows(tables.terminals, partition, found);
    const own = ownRow(found, paymentRow(key), etag);
    const others = found.filter((row) => row !== own);
    return own ? removeSubject(tables.terminals, partition, own, others) : 0;
  },
  async messagesOf({ terminalId, ...of }) {
    const partition = terminalPartition(terminalId);
    const prefixes = [inboxPrefix(of), filedPrefix(of)]; // a message goes before its tombstone, or it could be filed once more
    const found = await Promise.all(prefixes.map((prefix) => tables.terminals.withPrefix(partition, prefix)));
    return { terminalId, rows: found.flat() };
  },
  removeMessages: ({ terminalId, rows }) => removeRows(tables.terminals, terminalPartition(terminalId), rows),
  async removeOrder(key, etag) {
    await tables.orders.remove(orderPartition(key), orderRow(key), etag);
  },
  async removeAttempts(subject, before) {
    const [rows, partition] = locate(tables, subject);
    const found = await rows.withPrefix(partition, webhooksPrefix(subject));
    return removeRows(
      rows,
      partition,
      found.filter((row) => fromRow(row, attemptRecord).at < before),
    );
  },
});

const terminalDays = (rows: Rows): Pick<Retention, "removeTerminalDay"> => ({
  async removeTerminalDay(key, etag) {
    const subject = { kind: "terminalDay", ...key } as const;
    const partition = terminalDayPartition(key);
    const rowKey = terminalDayRow(key.terminalId);
    const prefixes = [commandsPrefix(subject), webhooksPrefix(subject), closingsPrefix(key.terminalId)];
    const others = (await Promise.all(prefixes.map((prefix) => rows.withPrefix(partition, prefix)))).flat();
    const found = await rows.get(partition, rowKey);
    const own = ownRow(found ? [found] : [], rowKey, etag);
    return own ? removeSubject(rows, partition, own, others) : removeRows(rows, partition, others);
  },
});

const actionRequests = (rows: Rows): Pick<Retention, "removeActionRequest"> => ({
  async removeActionRequest(key, etag) {
    const subject = { kind: "actionRequest", ...key } as const;
    const partition = actionPartition(key.partnerId);
    const rowKey = actionRow(key.actionRequestId);
    const prefixes = [rowKey, commandsPrefix(subject), webhooksPrefix(subject)];
    const found = (await Promise.all(prefixes.map((prefix) => rows.withPrefix(partition, prefix)))).flat();
    const own = ownRow(found, rowKey, etag);
    const others = found.filter((row) => row !== own);
    return own ? removeSubject(rows, partition, own, others) : removeRows(rows, partition, others);
  },
});

const alerts = (rows: Rows): Pick<Retention, "closedAlerts" | "removeAlert"> => ({
  async closedAlerts(before) {
    const found = await rows.withPrefix(ALERTS_PARTITION, ALERT_PREFIX);
    return found
      .map((row) => ({ alert: fromRow(row, alertRecord), etag: row.etag }))
      .filter(({ alert: { status, lastAt, closings } }) => {
        const closedAt = closings.at(-1)?.at ?? lastAt;
        return status === "closed" && lastAt < before && closedAt < before;
      });
  },
  async removeAlert({ alert, etag }) {
    await rows.remove(ALERTS_PARTITION, alertRow(alert), etag);
  },
});

const bookings = (rows: Rows): Pick<Retention, "bookedDays" | "removeBookedDay"> => ({
  async bookedDays(before) {
    const past = { prefix: BOOKED_DAY_PREFIX, rowKey: BOOKED_DAY_PREFIX, before: BOOKED_DAY_PREFIX + before };
    const found = await rows.after(BOOKED_DAYS_PARTITION, past, Infinity);
    return found.map((row) => ({ ...fromRow(row, bookedDayEntryRecord), etag: row.etag }));
  },
  async removeBookedDay({ partnerId, day, etag }) {
    const partition = bookingsPartition(partnerId, day);
    const count = await removeRows(rows, partition, await rows.withPrefix(partition, ""));
    await rows.remove(BOOKED_DAYS_PARTITION, bookedDayRow(partnerId, day), etag);
    return count + 1;
  },
});
