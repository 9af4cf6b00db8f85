import { dayAfter, fileDayOf, type Booking } from "../../../shared/domain/booking.ts";
import { dayOf, type Day, type Instant } from "../../../shared/domain/time.ts";
import type { CallContext } from "../../../shared/ports/clock.ts";
import {
  LISTED_DAY_PREFIX,
  PARTNER_DAY_ROW,
  partnerDayPartition,
  terminalPartition,
} from "../../../shared/stores/keys.ts";
import { dayTerminalRecord, partnerDayRecord } from "../../../shared/stores/partner-days.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import type { TablePorts } from "../../../shared/stores/stores.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import { book } from "../../../shared/use-cases/bookings/book.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import type { PlainRow } from "./exported-row.ts";
import { bookingIn, isRecent } from "./last-day.ts";
import { withoutEtag } from "./read-payment.ts";

/** The books of an export. Only bookings since shortly before the export began are judged. Older ones stay as they are. */
export interface BooksPlan {
  readonly begunAt: Instant;
  /** The closed days of terminals, by partition and day. Their bookings stay. */
  readonly closed: Set<string>;
  /** The days of partners that are closed or being closed, by partition, with the partitions of their terminals. */
  readonly closing: Map<string, Set<string>>;
  /** The recent bookings of the exported payments, by name. */
  readonly made: Map<string, Booking>;
  /** The names of the recent bookings that stay. */
  readonly kept: Set<string>;
  /** The recent bookings of payments that are left out. */
  readonly leftOut: Set<string>;
  /** The terminals to enter in their partners' days. */
  readonly entered: Map<string, Pick<Booking, "partnerId" | "terminalId"> & { readonly day: Day }>;
}

export const emptyBooks = (begunAt: Instant): BooksPlan => ({
  begunAt,
  closed: new Set(),
  closing: new Map(),
  made: new Map(),
  kept: new Set(),
  leftOut: new Set(),
  entered: new Map(),
});

export const nameOfBooking = ({ terminalId, sessionId, sequence, number }: Booking): string =>
  [terminalId, sessionId, sequence, number].join(" ");

/** No recent booking is in the file of an earlier day. */
const RECENT_DAYS = 30;
const mayHaveRecent = ({ begunAt }: BooksPlan, day: Day): boolean => day >= dayAfter(dayOf(begunAt), -RECENT_DAYS);

/** Adds a row of a terminal's days to the plan. */
export function planTerminalDay(plan: BooksPlan, row: PlainRow): void {
  const [, day = ""] = row.rowKey.split("~");
  if (kindOfRow(row.rowKey) !== "day" || !mayHaveRecent(plan, day)) return;
  if (fromRow(withoutEtag(row), dayRecord).closedAt !== undefined) plan.closed.add(`${row.partitionKey} ${day}`);
}

/** Adds a row of the partners' days to the plan. In the file, the row of a day comes before those of its terminals. */
export function planPartnerDay(plan: BooksPlan, row: PlainRow): void {
  const { closing } = plan;
  const [, day = ""] = row.partitionKey.split("~");
  if (row.rowKey.startsWith(LISTED_DAY_PREFIX) || !mayHaveRecent(plan, day)) return;
  if (row.rowKey === PARTNER_DAY_ROW) {
    if (fromRow(withoutEtag(row), partnerDayRecord).state !== "open") closing.set(row.partitionKey, new Set());
    return;
  }
  closing.get(row.partitionKey)?.add(terminalPartition(fromRow(withoutEtag(row), dayTerminalRecord).terminalId));
}

/** Adds the bookings of a payment's changes to the plan. */
export function planBookings({ made, begunAt }: BooksPlan, history: readonly RecordedEntry[]): void {
  for (const { bookings = [] } of history)
    for (const booking of bookings) if (isRecent(booking.at, begunAt)) made.set(nameOfBooking(booking), booking);
}

/**
 * The rows of a terminal's books that stay. If a change came after its payment was exported, the change is lost, and so are its bookings.
 * The bookings of a closed day stay, so that its file does not change.
 */
export const bookingRows = (rows: readonly PlainRow[], plan: BooksPlan): readonly PlainRow[] =>
  rows.filter((row) => {
    const booking = bookingIn(row);
    if (!booking || !isRecent(booking.at, plan.begunAt)) return true;
    const name = nameOfBooking(booking);
    const stays = isFiled(plan, booking) && (plan.made.has(name) || plan.leftOut.has(name) || isClosed(plan, booking));
    if (stays) keep(plan, booking);
    return stays;
  });

const isClosed = ({ closed }: BooksPlan, booking: Booking): boolean =>
  closed.has(`${terminalPartition(booking.terminalId)} ${fileDayOf(booking)}`);

/** Whether the file of the booking's day has it, or still can. After a failover, the partner's day may be of a later moment. */
function isFiled(plan: BooksPlan, booking: Booking): boolean {
  const terminals = plan.closing.get(partnerDayPartition(booking.partnerId, fileDayOf(booking)));
  return terminals === undefined || terminals.has(terminalPartition(booking.terminalId));
}

function keep(plan: BooksPlan, booking: Booking): void {
  const { partnerId, terminalId } = booking;
  const day = fileDayOf(booking);
  plan.kept.add(nameOfBooking(booking));
  if (!plan.closing.has(partnerDayPartition(partnerId, day)))
    plan.entered.set(`${terminalId} ${day}`, { partnerId, terminalId, day });
}

/** A day of a terminal as the import writes it. An open day enters its partner's day again with its next booking. */
export function dayRow(row: PlainRow): PlainRow {
  const day = fromRow(withoutEtag(row), dayRecord);
  if (day.closedAt !== undefined || !day.isEntered) return row;
  const { status } = row.columns;
  return { ...row, columns: toColumns({ ...day, isEntered: false }, status === undefined ? {} : { status }) };
}

/**
 * Enters terminals in the days of their partners, and books what the exported books lack. That can only be after a failover, whose tables are
 * not of one moment. It may run again.
 */
export async function completeBooks(
  ports: TablePorts,
  { made, kept, entered }: BooksPlan,
  { now }: Pick<CallContext, "now">,
): Promise<void> {
  await eachOf([...entered.values()], ({ partnerId, terminalId, day }) =>
    ports.partnerDays.enter(partnerId, day, terminalId),
  );
  const lacking = [...made].filter(([name]) => !kept.has(name)).map(([, booking]) => booking);
  for (const [, ofChange] of Map.groupBy(lacking, ({ terminalId, sessionId, sequence }) =>
    [terminalId, sessionId, sequence].join(" "),
  ))
    await retryOnConflict(() => bookAgain(ports, ofChange, now()));
}

/** Books the movements of one change, unless an earlier run did. */
async function bookAgain(ports: TablePorts, bookings: readonly Booking[], at: Instant): Promise<void> {
  const [first] = bookings;
  if (!first) return;
  const { terminalId, businessDay: day } = first;
  const there = await ports.bookings.ofBusinessDay({ terminalId, day });
  if (there.some((one) => nameOfBooking(one) === nameOfBooking(first))) return;
  const { booked } = await book(ports, bookings, dayOf(at));
  await ports.bookings.add(terminalId, booked);
}
