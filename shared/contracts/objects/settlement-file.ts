import * as z from "zod";
import type { Booking, BookingTotal } from "../../domain/booking.ts";
import type { SettlementPage } from "./settlement.ts";

/** The columns of the file, in their order. */
const columns = [
  "record",
  "date",
  "status",
  "businessDay",
  "kind",
  "direction",
  "currency",
  "amountMinorUnits",
  "count",
  "merchantID",
  "pointOfServiceID",
  "sessionID",
  "sequence",
  "chargeID",
  "refundID",
  "orderId",
  "paymentId",
  "bookedAt",
  "brand",
  "last4",
  "authorisationCode",
  "rrn",
  "tid",
  "mid",
  "tipMinorUnits",
] as const;
type Column = (typeof columns)[number];
type Cells = Partial<Readonly<Record<Column, string | number | undefined>>>;

/** A partner's day as comma-separated values, for accountants and their programs. */
export const settlementFile = z.string().meta({
  id: "SettlementFile",
  description:
    "RFC 4180 in UTF-8, with CRLF and a line of column names. The pages of a file one after the other are the file: only the first has the names, and only the last has the totals. The column `record` has the kind of line: `booking`, then `total` for each currency, kind and direction. The last line is `day`, with the status and the number of bookings, so that a truncated file is noticed. Amounts are integers of minor units without a sign: `12550` SEK is 125.50. If a spreadsheet could take a text for a formula, or if it begins with an apostrophe, one more apostrophe precedes it.",
  example: `${columns.join(",")}\r\nday,2026-11-21,open,,,,,,0${",".repeat(columns.length - 9)}\r\n`,
});

/**
 * A page of the file of a partner's day. The first page begins with the names of the columns, and the last one ends with the totals. So the
 * pages one after the other are the file. Those of a closed day are always the same, byte for byte.
 */
export function toSettlementFile({ date, isClosed, bookings, totals = [], isFirst, next }: SettlementPage): string {
  const lines = bookings.map((booking) => ({ date, ...cellsOfBooking(booking) }));
  const count = totals.reduce((sum, total) => sum + total.count, 0);
  const end: readonly Cells[] = [
    ...totals.map((total) => ({ date, ...cellsOfTotal(total) })),
    { record: "day", date, status: isClosed ? "closed" : "open", count },
  ];
  const text = [...(isFirst ? [columns.join(",")] : []), ...[...lines, ...(next === undefined ? end : [])].map(lineOf)];
  return text.map((line) => `${line}\r\n`).join("");
}

const cellsOfBooking = ({ asReceived, ...booking }: Booking): Cells => ({
  record: "booking",
  businessDay: booking.businessDay,
  kind: booking.kind,
  direction: booking.direction,
  currency: booking.currency,
  amountMinorUnits: booking.amount,
  count: 1,
  merchantID: asReceived.merchantId,
  pointOfServiceID: asReceived.terminalId,
  sessionID: asReceived.sessionId,
  sequence: booking.sequence,
  chargeID: booking.chargeId,
  refundID: asReceived.refundId,
  orderId: booking.orderId,
  paymentId: booking.paymentId,
  bookedAt: booking.at,
  ...booking.evidence,
  tipMinorUnits: booking.tip ?? 0,
});

const cellsOfTotal = ({ kind, direction, currency, amount, tip = 0, count }: BookingTotal): Cells => ({
  record: "total",
  kind,
  direction,
  currency,
  amountMinorUnits: amount,
  count,
  tipMinorUnits: tip,
});

const lineOf = (cells: Cells): string => columns.map((column) => cell(cells[column])).join(",");

/**
 * Matches a text that a spreadsheet may read as a formula, also after white space. It also matches a leading apostrophe, so that two
 * different texts never get the same form.
 */
const FORMULA = /^[\s'=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

function cell(value: string | number | undefined): string {
  if (value === undefined || typeof value === "number") return String(value ?? "");
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
