import { bookingRecord, totalsOf, type Booking } from "../../../shared/domain/booking.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import { terminalRecord } from "../../../shared/domain/terminal.ts";
import type { Columns } from "../../../shared/ports/rows.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { part, RETIRED_ROW, TERMINAL_ROW } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { damageIn } from "./damage.ts";
import { jsonIn, type PlainRow } from "./exported-row.ts";
import { ofSession, withoutEtag } from "./read-payment.ts";
import { nameOfSession } from "./units.ts";

/** A damaged payment that the import leaves out. */
export interface LeftOut {
  /** Undefined if its terminal cannot be read either. The terminal names the partner, since the payment cannot be read. */
  readonly key: PaymentKey | undefined;
  /** Its money as far as it can be read, in two sentences. */
  readonly money: string;
}

/** The session of a payment or a booking, as the operator names it. */
export const sessionNameOf = ({ terminalId, sessionId }: Pick<PaymentKey, "terminalId" | "sessionId">): string =>
  `${part(terminalId)}~${part(sessionId)}`;

/** These damaged payments, with their keys and the money in their rows and in their bookings of any day. */
export async function readLeftOut(
  rows: AsyncIterable<PlainRow>,
  sessions: ReadonlySet<string>,
): Promise<ReadonlyMap<string, LeftOut>> {
  if (sessions.size === 0) return new Map();
  const recorded = new Map<string, string>();
  const bookings: Booking[] = [];
  const terminals = new Map<string, Pick<PaymentKey, "partnerId" | "terminalId">>();
  for await (const row of rows) {
    const kind = kindOfRow(row.rowKey);
    if (kind === ofSession.own && sessions.has(nameOfSession(row)))
      recorded.set(nameOfSession(row), recordedIn(row.columns));
    const booking = kind === "booking" && isReadable(row) ? fromRow(withoutEtag(row), bookingRecord) : undefined;
    if (booking && sessions.has(sessionNameOf(booking))) bookings.push(booking);
    const terminal = terminalIn(row);
    if (terminal) terminals.set(row.partitionKey, terminal);
  }
  const booked = Map.groupBy(bookings, sessionNameOf);
  return new Map(
    [...sessions].map((session) => {
      const [partition = "", sessionId = ""] = session.split("~");
      const terminal = terminals.get(partition);
      const money = `Its row says: ${recorded.get(session) ?? "nothing"}. Its bookings: ${bookedIn(booked.get(session) ?? [])}.`;
      return [session, { key: terminal && { ...terminal, sessionId }, money }];
    }),
  );
}

const isReadable = (row: PlainRow): boolean => damageIn("terminals", { prefix: "", rows: [row] }).length === 0;

/** The terminal in its row. Undefined for any other row, or if it cannot be read. */
function terminalIn(row: PlainRow): Pick<PaymentKey, "partnerId" | "terminalId"> | undefined {
  const isTerminal = row.rowKey === TERMINAL_ROW || row.rowKey === RETIRED_ROW;
  if (!isTerminal || !isReadable(row)) return undefined;
  const named = terminalRecord.pick({ partnerId: true, terminalId: true });
  return named.safeParse(JSON.parse(jsonIn(row.columns) ?? "null")).data;
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
