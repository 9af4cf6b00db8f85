import { balanceOf, bookingRecord, fileDayOf, type Booking } from "../../../shared/domain/booking.ts";
import { paymentRecord, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Operation, Row } from "../../../shared/ports/rows.ts";
import {
  bookingRow,
  bookingsPrefix,
  BOOKING_PREFIX,
  DAY_TERMINAL_PREFIX,
  dayTerminalRow,
  historyPrefix,
  LATE_BOOKING_PREFIX,
  lateBookingRow,
  PARTNER_DAY_ROW,
  partnerDayPartition,
  paymentRow,
  terminalDayRow,
  terminalPartition,
} from "../../../shared/stores/keys.ts";
import { dayTerminalRecord, partnerDayRecord } from "../../../shared/stores/partner-days.ts";
import { isTombstone, recordedEntryRecord } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { held } from "./money.ts";
import type { World } from "../world/world.ts";
import type { Platform } from "./platform.ts";

/** The checks of the books at every write. */
export interface WatchedBooks {
  /** Checks the books of all terminals. */
  check(): Promise<void>;
  /** Forgets the closed days that a restore lost. Bookings whose change it lost stay only under closed days. */
  restored(): Promise<void>;
}

/** The bookings of a closed day, by their keys. */
type ClosedDay = ReadonlyMap<string, string>;

/**
 * At every moment the books of a terminal are what the changes of its payments moved. A late booking also stands under its business day. A
 * closed day never changes. Each open file knows the terminals that have bookings in it.
 */
export function watchBooks(world: World, { stores }: Platform): WatchedBooks {
  const closed = new Map<string, ClosedDay>();
  const rowsOf = (partition: string) => stores.plain.terminals.withPrefix(partition, "");
  const rowOf = (columns: Row["columns"], rowKey: string): Row => ({ partitionKey: "", rowKey, columns, etag: "" });

  stores.watch(async ({ table, partition, operation, group }) => {
    if (!("columns" in operation)) return;
    const { rowKey, columns } = operation;
    if (table === "days" && rowKey === PARTNER_DAY_ROW) return checkPartnerDay(world, stores.plain, partition, columns);
    if (table !== "terminals") return;
    switch (kindOfRow(rowKey)) {
      case "payment~now":
        if (!isTombstone(rowOf(columns, rowKey))) checkSession(world, sessionIn(rowKey), await rowsOf(partition));
        return;
      case "booking":
      case "late":
        checkTouched(world, rowKey, group);
        checkSession(world, sessionOf(fromRow(rowOf(columns, rowKey), bookingRecord)), await rowsOf(partition));
        return checkFiled(world, stores.plain, fromRow(rowOf(columns, rowKey), bookingRecord));
      case "day":
        return watchDay(world, closed, await rowsOf(partition), rowOf(columns, rowKey));
    }
  });

  async function check(): Promise<void> {
    const rows: Row[] = [];
    for await (const row of stores.whole().terminals.rowsAfter()) rows.push(row);
    for (const own of Map.groupBy(rows, ({ partitionKey }) => partitionKey).values()) {
      const sessions = own.flatMap((row) => {
        if (row.rowKey.startsWith(BOOKING_PREFIX)) return sessionOf(fromRow(row, bookingRecord));
        return kindOfRow(row.rowKey) === "payment~now" ? sessionIn(row.rowKey) : [];
      });
      for (const session of new Set(sessions)) checkSession(world, session, own);
      for (const row of own) if (kindOfRow(row.rowKey) === "day") watchDay(world, closed, own, row);
      for (const booking of bookingsIn(own)) await checkFiled(world, stores.plain, booking);
    }
    const entered = new Set<string>();
    for await (const { partitionKey, rowKey, columns } of stores.whole().days.rowsAfter())
      if (rowKey === PARTNER_DAY_ROW) await checkPartnerDay(world, stores.plain, partitionKey, columns);
      else entered.add(`${partitionKey.split("~")[1]} ${rowKey}`);
    for (const row of rows) checkEntered(world, row, entered);
  }

  return {
    check,
    async restored() {
      closed.clear();
      for await (const row of stores.whole().terminals.rowsAfter()) {
        if (!row.rowKey.startsWith(BOOKING_PREFIX)) continue;
        const booking = fromRow(row, bookingRecord);
        const own = await rowsOf(row.partitionKey);
        const day = own.find(({ rowKey }) => rowKey === terminalDayRow(fileDayOf(booking)));
        const isClosed = day !== undefined && fromRow(day, dayRecord).closedAt !== undefined;
        if (isClosed && !movedIn(own, sessionOf(booking)).has(nameOf(booking)))
          world.lostTime.bookings.add(nameOf(booking));
      }
      await check();
    },
  };
}

/** A booking writes its day again, so that a decision on the day without it fails. */
function checkTouched(world: World, rowKey: string, group: readonly Operation[]): void {
  const day = terminalDayRow(rowKey.split("~")[1] ?? "");
  if (!group.some((one) => one.rowKey === day)) world.violate("a booking does not write its day", rowKey);
}

const nameOf = ({ terminalId, sessionId, sequence, number }: Booking): string =>
  `${terminalId} ${sessionId} ${sequence} ${number}`;
const sessionOf = ({ sessionId }: Booking): string => sessionId;
const sessionIn = (rowKey: string): string => rowKey.split("~")[1] ?? "";
const shown = (booking: Booking): string => JSON.stringify(booking, Object.keys(booking).toSorted());

/** The bookings in the files of a terminal, each under the day of its file. */
const bookingsIn = (rows: readonly Row[]): readonly Booking[] =>
  rows.flatMap((row) => (row.rowKey.startsWith(BOOKING_PREFIX) ? fromRow(row, bookingRecord) : []));

/** What the changes of a payment moved, by the names of the bookings. */
const movedIn = (rows: readonly Row[], sessionId: string): ReadonlyMap<string, Booking> =>
  new Map(
    rows
      .filter(({ rowKey }) => rowKey.startsWith(historyPrefix({ sessionId })))
      .flatMap((row) => fromRow(row, recordedEntryRecord).bookings ?? [])
      .map((booking) => [nameOf(booking), booking]),
  );

/** The books have each movement of a payment once, and nothing else. They add up to the merchant's money in its record. */
function checkSession(world: World, sessionId: string, rows: readonly Row[]): void {
  const moved = movedIn(rows, sessionId);
  const booked = bookingsIn(rows).filter((booking) => booking.sessionId === sessionId);
  const own = booked.filter((booking) => !world.lostTime.bookings.has(nameOf(booking)));
  for (const booking of own) {
    const due = moved.get(nameOf(booking));
    if (!due) world.violate("a booking without a commit", nameOf(booking));
    else if (shown(due) !== shown(booking)) world.violate("a booking is not what its change moved", nameOf(booking));
  }
  const names = new Set(own.map(nameOf));
  if (names.size < own.length) world.violate("a movement is booked twice", sessionId);
  for (const name of moved.keys()) if (!names.has(name)) world.violate("a movement is not booked", name);
  checkRows(world, sessionId, booked, rows);
  const row = rows.find(({ rowKey }) => rowKey === paymentRow({ sessionId }));
  if (!row || isTombstone(row)) {
    if (own.length > 0) world.violate("a booking of no payment", sessionId);
    return;
  }
  checkRecord(world, fromRow(row, paymentRecord), own);
}

/** Each booking stands under the day of its file, and a late one under its business day too. */
function checkRows(world: World, sessionId: string, booked: readonly Booking[], rows: readonly Row[]): void {
  const late = rows.filter(({ rowKey }) => rowKey.startsWith(LATE_BOOKING_PREFIX));
  const found = late.filter((row) => fromRow(row, bookingRecord).sessionId === sessionId);
  const stored = new Map(rows.map(({ rowKey, columns }) => [rowKey, JSON.stringify(columns)]));
  const due = booked.filter(({ bookedOn }) => bookedOn !== undefined);
  for (const booking of booked)
    if (!stored.has(bookingRow(booking))) world.violate("a booking stands in another day's file", nameOf(booking));
  for (const booking of due)
    if (stored.get(lateBookingRow(booking)) !== stored.get(bookingRow(booking)))
      world.violate("a late booking is not under its business day", nameOf(booking));
  if (found.length > due.length) world.violate("a late booking is in no file", sessionId);
}

function checkRecord(world: World, payment: Payment, booked: readonly Booking[]): void {
  for (const currency of new Set([payment.currency, ...booked.map((one) => one.currency)])) {
    const inBooks = balanceOf(booked.filter((one) => one.currency === currency));
    const byRecord = held(payment, currency);
    if (inBooks !== byRecord)
      world.violate(
        "the bookings of a payment differ from its record",
        `${payment.sessionId}: ${inBooks} and ${byRecord} ${currency}`,
      );
  }
}

/** Remembers the bookings of a day that is closed. They are the same at each later write of the day. */
function watchDay(world: World, closed: Map<string, ClosedDay>, rows: readonly Row[], row: Row): void {
  const [, day = ""] = row.rowKey.split("~");
  const name = `${rows[0]?.partitionKey} ${day}`;
  const before = closed.get(name);
  if (!before && fromRow(row, dayRecord).closedAt === undefined) return;
  const own = rows.filter(({ rowKey }) => rowKey.startsWith(bookingsPrefix(day)));
  const now = new Map(own.map(({ rowKey, columns }) => [rowKey, JSON.stringify(columns)]));
  if (!before) closed.set(name, now);
  else if (JSON.stringify([...before]) !== JSON.stringify([...now]))
    world.violate("the bookings of a closed day changed", name);
}

/** The file of a booking has its terminal, and was not closed before the terminal's own day. */
async function checkFiled(world: World, { days, terminals }: Platform["stores"]["plain"], booking: Booking) {
  const { partnerId, terminalId } = booking;
  const [file, own] = [partnerDayPartition(partnerId, fileDayOf(booking)), terminalDayRow(fileDayOf(booking))];
  const [entered, partnerDay, day] = await Promise.all([
    days.get(file, dayTerminalRow(terminalId)),
    days.get(file, PARTNER_DAY_ROW),
    terminals.get(terminalPartition(terminalId), own),
  ]);
  if (!entered || !partnerDay) return world.violate("a booking whose file lacks its terminal", nameOf(booking));
  if (!day) {
    // A failover may lose a day's row, but not the booking. The next booking or the closing of the day makes it again.
    if (world.lostTime.restoredAt === undefined) world.violate("a booking without its day", nameOf(booking));
    return;
  }
  const { closedAt, isEntered } = fromRow(day, dayRecord);
  const isOpen = closedAt === undefined && isEntered;
  if (isOpen && fromRow(partnerDay, partnerDayRecord).state === "closed")
    world.violate("a booking under a day that its partner's closing passed over", nameOf(booking));
}

/** An open day that says that its terminal is entered in its partner's day tells the truth. */
function checkEntered(world: World, row: Row, entered: ReadonlySet<string>): void {
  if (kindOfRow(row.rowKey) !== "day") return;
  const { isEntered, closedAt } = fromRow(row, dayRecord);
  const name = `${row.rowKey.split("~")[1]} ${DAY_TERMINAL_PREFIX}${row.partitionKey}`;
  if (isEntered && closedAt === undefined && !entered.has(name))
    world.violate("a day whose terminal is not entered", `${row.partitionKey} ${row.rowKey}`);
}

/** A partner's day is closed after the days of all its terminals. One that was entered later has booked nothing. */
async function checkPartnerDay(
  world: World,
  { days, terminals }: Platform["stores"]["plain"],
  partition: string,
  columns: Row["columns"],
): Promise<void> {
  const row = { partitionKey: "", rowKey: PARTNER_DAY_ROW, columns, etag: "" };
  if (fromRow(row, partnerDayRecord).state !== "closed") return;
  const day = partition.split("~")[1] ?? "";
  for (const entered of await days.withPrefix(partition, DAY_TERMINAL_PREFIX)) {
    const { terminalId } = fromRow(entered, dayTerminalRecord);
    const own = await terminals.get(terminalPartition(terminalId), terminalDayRow(day));
    if (!own) continue;
    const { isEntered, closedAt } = fromRow(own, dayRecord);
    if (isEntered && closedAt === undefined)
      world.violate("a partner's day is closed before a terminal's", `${partition} ${terminalId}`);
  }
}
