import { alertRecord } from "../domain/alert.ts";
import { bookingRecord } from "../domain/booking.ts";
import type { Day, Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import { commandRecord } from "./commands.ts";
import { attemptRecord } from "../domain/webhook-attempt.ts";
import type { Retention } from "./retention.ts";
import { feedRetention } from "./feed-retention.ts";
import {
  actionPartition,
  actionRow,
  ALERT_PREFIX,
  alertRow,
  ALERTS_PARTITION,
  bookingsPrefix,
  DAY_TERMINAL_PREFIX,
  lateBookingRow,
  LISTED_DAY_PREFIX,
  listedDayRow,
  openDayRow,
  PARTNER_DAYS_PARTITION,
  partnerDayPartition,
  inboxPrefix,
  orderPartition,
  orderRow,
  paymentPrefix,
  paymentRow,
  RECEIPT_PREFIX,
  receiptsBefore,
  filedPrefix,
  terminalDayRow,
  terminalPartition,
} from "./keys.ts";
import { commandsPrefix, webhooksPrefix } from "./subject-rows.ts";
import { dayTerminalRecord, listedDayRecord } from "./partner-days.ts";
import { dayRecord } from "./terminal-days.ts";
import { isTombstone, tombstoneRecord } from "./payments.ts";
import { fromRow } from "./record.ts";
import { kindOfRow } from "./row-kind.ts";
import { ownRow, removeRows, removeSubject } from "./remove-rows.ts";
import type { Row, Rows } from "../ports/rows.ts";
import { tokenRetention } from "./token-retention.ts";

type Purged = "terminals" | "orders" | "actionRequests" | "landingPages" | "accessTokens" | "alerts" | "feeds" | "days";

/** Removes records from all tables permanently. */
export const retentionTables = (tables: Readonly<Record<Purged, Rows>>): Retention => ({
  ...payments(tables),
  ...actionRequests(tables.actionRequests),
  ...terminalDays(tables.terminals),
  ...alerts(tables.alerts),
  ...bookings(tables),
  ...receipts(tables.terminals),
  ...tokenRetention(tables),
  ...feedRetention(tables),
});

const payments = (
  tables: Readonly<Record<"terminals" | "orders", Rows>>,
): Pick<Retention, "removePayment" | "removeAborted" | "messagesOf" | "removeMessages" | "removeOrder"> => ({
  async removePayment(key, etag) {
    const partition = terminalPartition(key.terminalId);
    const found = await tables.terminals.withPrefix(partition, paymentPrefix(key));
    const own = ownRow(found, paymentRow(key), etag);
    const others = found.filter((row) => row !== own);
    return own ? removeSubject(tables.terminals, partition, own, others) : 0;
  },
  async removeAborted(key, before) {
    const partition = terminalPartition(key.terminalId);
    const found = await tables.terminals.withPrefix(partition, paymentPrefix(key));
    const now = found.find(({ rowKey }) => rowKey === paymentRow(key));
    if (now && !isTombstone(now)) throw new Conflict("the session was requested meanwhile");
    const old = found.filter((row) => (leftAt(row) ?? before) < before);
    return removeRows(tables.terminals, partition, old);
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
});

/** When a row was written that a session without a payment may have: a tombstone, an aborted command, or an attempt that came too late. */
function leftAt(row: Row): Instant | undefined {
  switch (kindOfRow(row.rowKey)) {
    case "payment~now":
      return fromRow(row, tombstoneRecord).at;
    case "payment~command":
      return fromRow(row, commandRecord).at;
    case "payment~webhook":
      return fromRow(row, attemptRecord).at;
    default:
      return undefined;
  }
}

const terminalDays = (rows: Rows): Pick<Retention, "removeTerminalDay"> => ({
  async removeTerminalDay(key, etag) {
    const partition = terminalPartition(key.terminalId);
    const rowKey = terminalDayRow(key.day);
    const found = await rows.withPrefix(partition, rowKey);
    const own = ownRow(found, rowKey, etag);
    const others = found.filter((row) => row !== own);
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

const bookings = (
  tables: Readonly<Record<"terminals" | "days", Rows>>,
): Pick<Retention, "bookedDays" | "removeBookedDay"> => ({
  async bookedDays(before) {
    const past = { prefix: LISTED_DAY_PREFIX, rowKey: LISTED_DAY_PREFIX, before: LISTED_DAY_PREFIX + before };
    const found = await tables.days.after(PARTNER_DAYS_PARTITION, past, Infinity);
    return found.map((row) => ({ ...fromRow(row, listedDayRecord), etag: row.etag }));
  },
  async removeBookedDay({ partnerId, day, etag }) {
    const partition = partnerDayPartition(partnerId, day);
    const found = await tables.days.withPrefix(partition, "");
    let count = 0;
    for (const row of found.filter(({ rowKey }) => rowKey.startsWith(DAY_TERMINAL_PREFIX)))
      count += await removeBookings(tables.terminals, fromRow(row, dayTerminalRecord).terminalId, day);
    count += await removeRows(tables.days, partition, found);
    const open = await tables.days.get(PARTNER_DAYS_PARTITION, openDayRow({ partnerId, day }));
    count += await removeRows(tables.days, PARTNER_DAYS_PARTITION, open ? [open] : []);
    await tables.days.remove(PARTNER_DAYS_PARTITION, listedDayRow({ partnerId, day }), etag);
    return count + 1;
  },
});

/** The most receipts that are read at once. Each may have some ten thousand characters. */
const RECEIPTS_AT_ONCE = 100;

function receipts(rows: Rows): Pick<Retention, "countReceipts" | "removeReceipts"> {
  const printedBefore = (partition: string, before: Day, rowKey = RECEIPT_PREFIX) =>
    rows.after(partition, { prefix: RECEIPT_PREFIX, rowKey, before: receiptsBefore(before) }, RECEIPTS_AT_ONCE);
  return {
    async countReceipts(terminalId, before) {
      const partition = terminalPartition(terminalId);
      let count = 0;
      for (let found = await printedBefore(partition, before); found.length > 0;) {
        count += found.length;
        found = await printedBefore(partition, before, found.at(-1)?.rowKey);
      }
      return count;
    },
    async removeReceipts(terminalId, before) {
      const partition = terminalPartition(terminalId);
      let count = 0;
      for (let found = await printedBefore(partition, before); found.length > 0;) {
        count += await removeRows(rows, partition, found);
        found = await printedBefore(partition, before);
      }
      return count;
    },
  };
}

/** Removes a terminal's bookings in the file of a day, with their rows under other days, and the rows of days that hold nothing else. */
async function removeBookings(rows: Rows, terminalId: string, day: Day): Promise<number> {
  const partition = terminalPartition(terminalId);
  const own = await rows.withPrefix(partition, bookingsPrefix(day));
  const late = own.map((row) => fromRow(row, bookingRecord)).filter(({ bookedOn }) => bookedOn !== undefined);
  const keys = [
    ...late.map(lateBookingRow),
    ...new Set([day, ...late.map(({ businessDay }) => businessDay)].map(terminalDayRow)),
  ];
  const found = await Promise.all(keys.map((rowKey) => rows.get(partition, rowKey)));
  const others = found
    .filter((row) => row !== undefined)
    .filter((row) => kindOfRow(row.rowKey) !== "day" || fromRow(row, dayRecord).terminalDay === undefined);
  return removeRows(rows, partition, [...own, ...others]);
}
