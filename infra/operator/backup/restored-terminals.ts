import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import { holdsTerminal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import { inboxRecord } from "../../../shared/domain/terminal-inbox.ts";
import { fileDayOf, type Booking } from "../../../shared/domain/booking.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import {
  CLAIM_ROW,
  createdRow,
  HOLD_SUFFIX,
  INBOX_PREFIX,
  inboxRow,
  sessionRow,
  sessionsPartition,
} from "../../../shared/stores/keys.ts";
import { holdingSessionOf } from "../../../shared/stores/payments.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { sessionColumns } from "../../../shared/stores/sessions.ts";
import { tablePorts, type WholeTables } from "../../../shared/stores/stores.ts";
import { claimColumns } from "../../../shared/stores/terminals.ts";
import { enterDay } from "../../../shared/use-cases/bookings/enter-day.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import { restoreOrder } from "../../../shared/use-cases/payments/order-holders.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertMissing } from "./insert-rows.ts";
import { isRecent } from "./last-day.ts";
import { paymentIn, withoutEtag, type ExportedPayment } from "./read-payment.ts";
import { addHistory, emptyBooks, restoredBookings, takeBooking, type RestoredBooks } from "./restored-books.ts";
import { keyRows, restoreKeys } from "./restored-keys.ts";
import { barredRows, dueMessagesOf, marksWithoutPayment, paymentRows, restoredPayment } from "./restored-payments.ts";
import { dayRows } from "./restored-rows.ts";
import { isOfDay, isOfSession, nameOfSession, type Unit } from "./units.ts";
import type { ImportPlan } from "./verified-plan.ts";

/** Rows as the import writes them, in one partition. */
export interface Written {
  readonly partitionKey: string;
  readonly rows: readonly PlainRow[];
  /** Whether the partition is complete with them. */
  readonly isLast: boolean;
  /** Completes other tables, which were written before. It may run again. */
  readonly beside?: (() => Promise<void>) | undefined;
}

/** A payment with open money, with its imported sequence. */
export interface OpenPayment {
  readonly key: PaymentKey;
  readonly sequence: number;
}

/** The terminal that is being read. */
interface Terminal {
  readonly books: RestoredBooks;
  /** The payments that hold the terminal, with their rows. An export is not a snapshot, so there may be more than one. */
  readonly holding: { readonly rows: readonly PlainRow[]; readonly payment: ExportedPayment }[];
  readonly due: InboxEntry[];
}

/**
 * Reads the terminals of an export as a stream. Each payment and each business day is written when it is read. What depends on all payments of
 * the terminal comes at its end: the claim, the due messages and the recent bookings. Claim and messages are derived from the payments, so the
 * exported ones are left out.
 *
 * @param open gets the payments with open money
 */
export async function* restoredTerminals(
  units: AsyncIterable<Unit>,
  { tables, plan, open }: { readonly tables: WholeTables; readonly plan: ImportPlan; readonly open: OpenPayment[] },
): AsyncGenerator<Written> {
  let terminal = newTerminal();
  for await (const unit of units) {
    const { partitionKey, isLast } = unit;
    const payment = isOfSession(unit) && !plan.leftOut.has(nameOfUnit(unit)) ? paymentIn(unit.rows) : undefined;
    if (payment) {
      const restored = restoredPayment(payment, plan);
      const rows = take(terminal, unit.rows, { restored, plan, open });
      const beside = () => completeFor(tables, restored, plan);
      yield { partitionKey, isLast: false, rows, beside };
    } else yield { partitionKey, isLast: false, rows: rowsWithoutPayment(unit, terminal, plan) };
    if (!isLast) continue;
    yield endOf(terminal, partitionKey, tables);
    terminal = newTerminal();
  }
}

const newTerminal = (): Terminal => ({ books: emptyBooks(), holding: [], due: [] });
const nameOfUnit = ({ partitionKey, prefix }: Unit): string => nameOfSession({ partitionKey, rowKey: prefix });

/** Takes what the terminal needs of a payment. Returns the rows that can be written now. */
function take(
  terminal: Terminal,
  rows: readonly PlainRow[],
  {
    restored,
    plan,
    open,
  }: { readonly restored: ExportedPayment; readonly plan: ImportPlan; readonly open: OpenPayment[] },
): readonly PlainRow[] {
  const { payment, history } = restored;
  const { partnerId, terminalId, sessionId, sequence } = payment;
  if (!paymentHasEnded(payment)) open.push({ key: { partnerId, terminalId, sessionId }, sequence });
  addHistory(terminal.books, history, plan.begunAt);
  terminal.due.push(...dueMessagesOf(restored));
  if (!holdsTerminal(payment.status)) return paymentRows(rows, restored);
  terminal.holding.push({ rows, payment: restored });
  return [];
}

function rowsWithoutPayment(unit: Unit, { books }: Terminal, plan: ImportPlan): readonly PlainRow[] {
  const { rows } = unit;
  if (isOfDay(unit)) return dayRows(rows, books);
  if (!isOfSession(unit)) return rows.filter((row) => !isDerived(row) && !takeBooking(books, row, plan));
  const left = plan.leftOut.get(nameOfUnit(unit));
  return left ? barredRows(left.key, plan.begunAt) : [...rows, ...marksWithoutPayment(rows)];
}

/** Whether the row is the terminal's claim, or a payment's message in the inbox, or its hold. */
function isDerived(row: PlainRow): boolean {
  if (row.rowKey === CLAIM_ROW) return true;
  if (!row.rowKey.startsWith(INBOX_PREFIX)) return false;
  return row.rowKey.endsWith(HOLD_SUFFIX) || fromRow(withoutEtag(row), inboxRecord).message.type !== "actionAnswer";
}

/** The rows that depend on all payments of the terminal. */
function endOf({ books, holding, due }: Terminal, partitionKey: string, tables: WholeTables): Written {
  const own = (rowKey: string, columns: PlainRow["columns"]): PlainRow => ({ partitionKey, rowKey, columns });
  const [holder, ...others] = holding.toSorted((one, other) => (rankOf(one.payment) < rankOf(other.payment) ? 1 : -1));
  const unclaimed = others.map(({ rows, payment }) =>
    paymentRows(rows, { ...payment, payment: { ...payment.payment, unclaimed: true } }),
  );
  const claim = holder && claimColumns({ holder: holdingSessionOf(holder.payment.payment) });
  const { bookings, rows } = restoredBookings(books);
  return {
    partitionKey,
    isLast: true,
    rows: [
      ...(holder ? paymentRows(holder.rows, holder.payment) : []),
      ...unclaimed.flat(),
      ...(claim ? [own(CLAIM_ROW, claim)] : []),
      ...due.map((message) => own(inboxRow(message.slot), toColumns(message, { state: message.state }))),
      ...rows,
    ],
    beside: () => enterDays(tables, bookings),
  };
}

/** The greatest one gets the claim. A payment that the terminal has certainly begun goes before a pending one. The latest goes first. */
const rankOf = ({ payment: { status, createdAt } }: ExportedPayment): string =>
  `${status === "pending" ? 0 : 1} ${createdAt}`;

/**
 * Completes the other tables for an open or recent payment: the entries of its session and of its keys, and its order. A failover
 * may have lost the entries, and the order may be of another moment.
 */
async function completeFor(
  tables: WholeTables,
  { payment, commands }: ExportedPayment,
  { begunAt }: ImportPlan,
): Promise<void> {
  const recent = isRecent(payment.updatedAt, begunAt);
  if (recent) {
    const keyed = commands.filter(({ at }) => isRecent(at, begunAt)).flatMap((command) => keyRows(command, payment));
    await insertMissing(tables.sessions, entriesOf(payment));
    await restoreKeys(tables.sessions, keyed);
  }
  if (recent || !paymentHasEnded(payment)) await retryOnConflict(() => restoreOrder(tablePorts(tables), payment));
}

function entriesOf(payment: Payment): readonly PlainRow[] {
  const { partnerId, sessionId, terminalId, createdAt } = payment;
  const partitionKey = sessionsPartition(partnerId);
  return [
    { partitionKey, rowKey: sessionRow(sessionId), columns: sessionColumns({ terminalId, createdAt }) },
    { partitionKey, rowKey: createdRow(payment), columns: toColumns(createdEntryOf(payment)) },
  ];
}

/** Enters the terminal in its partner's days, which were read before its bookings. A booking's own day had it, even if that is closed now. */
async function enterDays(tables: WholeTables, bookings: readonly Booking[]): Promise<void> {
  const ports = tablePorts(tables);
  const days = new Map(bookings.map((booking) => [fileDayOf(booking), booking]));
  await eachOf([...days], ([day, { partnerId, terminalId, merchantId }]) =>
    enterDay(ports, { partnerId, day }, { terminalId, merchantId }, NO_ANNOUNCEMENT),
  );
}

/** `repair --all` announces the closing of every open day after the import. */
const NO_ANNOUNCEMENT = async (): Promise<void> => {};
