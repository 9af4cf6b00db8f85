import { totalsOf, type Booking } from "../../../shared/domain/booking.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import { terminalRecord } from "../../../shared/domain/terminal.ts";
import type { Columns } from "../../../shared/ports/rows.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { BOOKING_PREFIX, part, TERMINAL_ROW, RETIRED_ROW } from "../../../shared/stores/keys.ts";
import { damageIn } from "./damage.ts";
import { jsonIn, rowsOf, type Lines, type PlainRow } from "./exported-row.ts";
import { bookingIn } from "./last-day.ts";
import { OWN_ROW, storedPartition } from "./payments-apart.ts";

/** A damaged payment that the import leaves out. */
export interface LeftOut {
  readonly key: PaymentKey;
  /** Its money as far as it can be read, in two sentences. */
  readonly money: string;
}

/** The partition of a payment in the file of payments. */
export const partitionOf = ({ terminalId, sessionId }: Pick<PaymentKey, "terminalId" | "sessionId">): string =>
  `${part(terminalId)}~${part(sessionId)}`;

/**
 * The keys of payments by their partitions. Their terminals name the partner, since the payments cannot be read. Lacks the payments whose
 * terminal cannot be read either.
 */
export async function keysIn(lines: Lines, partitions: ReadonlySet<string>): Promise<ReadonlyMap<string, PaymentKey>> {
  const ofTerminal = Map.groupBy(partitions, (partition) => storedPartition("payments", partition));
  const keys = new Map<string, PaymentKey>();
  if (ofTerminal.size === 0) return keys;
  for await (const row of rowsOf(lines, "terminals")) {
    const terminal = terminalIn(row);
    for (const partition of (terminal && ofTerminal.get(row.partitionKey)) ?? [])
      if (terminal) keys.set(partition, { ...terminal, sessionId: partition.split("~")[1] ?? "" });
  }
  return keys;
}

/** The terminal in its row. Undefined for any other row, or if it cannot be read. */
function terminalIn(row: PlainRow): Pick<PaymentKey, "partnerId" | "terminalId"> | undefined {
  const isTerminal = row.rowKey === TERMINAL_ROW || row.rowKey === RETIRED_ROW;
  if (!isTerminal || damageIn("terminals", [row]).length > 0) return undefined;
  const named = terminalRecord.pick({ partnerId: true, terminalId: true });
  return named.safeParse(JSON.parse(jsonIn(row.columns) ?? "null")).data;
}

/** The readable money of these damaged payments: in their rows, and in their bookings of any day. */
export async function moneyOf(lines: Lines, partitions: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  if (partitions.size === 0) return new Map();
  const recorded = new Map<string, string>();
  for await (const { partitionKey, rowKey, columns } of rowsOf(lines, "payments"))
    if (rowKey === OWN_ROW && partitions.has(partitionKey)) recorded.set(partitionKey, recordedIn(columns));
  const booked = Map.groupBy(await bookingsOf(lines, partitions), partitionOf);
  return new Map(
    [...partitions].map((partition) => [
      partition,
      `Its row says: ${recorded.get(partition) ?? "nothing"}. Its bookings: ${bookedIn(booked.get(partition) ?? [])}.`,
    ]),
  );
}

/** The readable bookings of these payments. */
async function bookingsOf(lines: Lines, partitions: ReadonlySet<string>): Promise<readonly Booking[]> {
  const bookings: Booking[] = [];
  for await (const row of rowsOf(lines, "bookings")) {
    const isReadable = row.rowKey.startsWith(BOOKING_PREFIX) && damageIn("bookings", [row]).length === 0;
    const booking = isReadable ? bookingIn(row) : undefined;
    if (booking && partitions.has(partitionOf(booking))) bookings.push(booking);
  }
  return bookings;
}

/** The status and the amounts in a payment's row. The text of its record is searched, since the record need not be JSON any more. */
function recordedIn(columns: Columns): string {
  const text = jsonIn(columns) ?? "";
  const [, amounts = ""] = /"amounts":\{([^{}]*)\}/.exec(text) ?? [];
  const [, currency] = /"currency":"([A-Z]{3})"/.exec(text) ?? [];
  const sums = [...amounts.matchAll(/"(authorized|captured)":(\d{1,15})(?!\d)/g)].flatMap(([, name, amount]) =>
    currency === undefined ? [] : `${name} ${shownMoney(Number(amount), currency)}`,
  );
  return [String(columns["status"] ?? "no status"), ...sums].join(", ");
}

const bookedIn = (bookings: readonly Booking[]): string =>
  totalsOf(bookings)
    .map(({ kind, direction, amount, currency }) => `${kind} ${shownMoney(amount, currency)} (${direction})`)
    .join(", ") || "none";
