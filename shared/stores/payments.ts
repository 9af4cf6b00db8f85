import * as z from "zod";
import type { InboxSlot } from "../domain/effects.ts";
import { bookingRecord } from "../domain/booking.ts";
import { historyEntryRecord } from "../domain/payment/record/history-entry.ts";
import { type RecordedReport, recordedReportRecord } from "../domain/payment/reports/answered.ts";
import { type Receipt, receiptRecord } from "../domain/payment/record/card.ts";
import { type Payment, paymentRecord } from "../domain/payment/record/payment.ts";
import type { RecordOf } from "../domain/record.ts";
import type { HoldingSession } from "../domain/terminal.ts";
import { dayOf, instant, type Instant } from "../domain/time.ts";
import { paymentHasEnded } from "../domain/payment/record/ended.ts";
import { bookingRows, type Booked } from "./bookings.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import { paymentKeyOf, paymentKeyRecord, paymentSubjectOf, type PaymentKey } from "../ports/subjects.ts";
import { discardMessage, heldMessage, type InboxRow, type NewMessage, removeMessage } from "./inboxes.ts";
import { historyPrefix, historyRow, paymentRow, receiptRow, reportRow, terminalPartition } from "./keys.ts";
import { changedMark, type Marked, marksOf, submitMarked } from "./marks.ts";
import { fromRow, toColumns } from "./record.ts";
import { freeClaim, type StoredClaim, writeClaim } from "./terminals.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

export interface StoredPayment {
  readonly payment: Payment;
  readonly etag: string;
}

/**
 * A session that can have no payment at this terminal, as its row holds it. It was cancelled before it was requested, or it was requested
 * at another terminal instead, or its payment cannot be read any more.
 */
export const tombstoneRecord = z.object({
  ...paymentKeyRecord.shape,
  at: instant,
  /** A restore could not read the payment. A card may have been charged. */
  unreadable: z.literal(true).optional(),
});
export interface Tombstone extends RecordOf<typeof tombstoneRecord> {
  readonly isTombstone: true;
}

/** Whether the session has no payment at its terminal, and can have none. */
export const lacksPayment = (found: StoredPayment | Tombstone): found is Tombstone => "isTombstone" in found;

export const recordedEntryRecord = historyEntryRecord.extend({
  /** The command that this change committed, if it has effects. */
  commandId: z.string().optional(),
  /** The money that this change moved. A restore writes its bookings by this. */
  bookings: z.array(bookingRecord).optional(),
  /**
   * The identifier of the request that made this change, as its response names it. Absent if a deadline, a worker or an operator made the
   * change.
   */
  requestId: z.string().optional(),
  /** The partner's key that proved this request. For operators only: no partner reads it. */
  keyId: z.string().optional(),
  /** The W3C trace identifier of the call that made this change, 32 hexadecimal digits. */
  traceId: z.string().optional(),
});
export interface RecordedEntry extends RecordOf<typeof recordedEntryRecord> {}

/** The messages that a change of a payment takes out of its terminal's inbox. */
export interface Taking {
  /** Messages of the payment, as they were read. */
  readonly removed?: readonly InboxRow[] | undefined;
  /** The slot of a message that is removed unread. The commit fails if there is none. */
  readonly discarded?: InboxSlot | undefined;
}

/** The rows of one entity group. A payment changes only by such a group. */
export interface PaymentCommit extends Taking {
  readonly payment: Payment;
  /** The payment as it was read. Undefined for a new payment. */
  readonly read: StoredPayment | undefined;
  /** The change's line in the history. The report that it names is stored, so that a repeated report is recognised. */
  readonly entry: RecordedEntry;
  /** The terminal's claim as the request read it, which the new payment takes; `freed` if the payment lets its terminal go. */
  readonly claim?: StoredClaim | "freed" | undefined;
  /** The receipt that the change's report printed. */
  readonly receipt?: Receipt | undefined;
  /** The money that the change moved, with the days of its bookings. */
  readonly booked?: Booked | undefined;
  /** The messages that the change sends to the terminal. */
  readonly messages?: readonly NewMessage[] | undefined;
  /** The effects for the workers, under the command identifier that was announced before. Undefined if there are none. */
  readonly command?: NewCommand | undefined;
}

/** The status column of a tombstone. No payment has this status. */
const TOMBSTONE_STATUS = "tombstone";
const tombstoneColumns = (tombstone: z.infer<typeof tombstoneRecord>): Columns =>
  toColumns(tombstone, { status: TOMBSTONE_STATUS });
/** The columns of a session whose payment a restore could not read. */
export const unreadableColumns = (key: PaymentKey, at: Instant): Columns =>
  tombstoneColumns({ ...paymentKeyOf(key), at, unreadable: true });
/** Whether the row of a session is a tombstone, so that no payment may be created for it. */
export const isTombstone = ({ columns }: Pick<Row, "columns">): boolean => columns["status"] === TOMBSTONE_STATUS;

/** Payments in the table `Terminals`, each in the partition of its terminal. */
export function paymentsTable(rows: Rows) {
  /** Distinguishes a missing payment from one that can never come. Undefined for a payment of another partner. */
  async function findOrTombstone(key: PaymentKey): Promise<StoredPayment | Tombstone | undefined> {
    const row = await rows.get(terminalPartition(key.terminalId), paymentRow(key));
    if (!row) return undefined;
    if (isTombstone(row)) return { ...fromRow(row, tombstoneRecord), isTombstone: true };
    const payment = fromRow(row, paymentRecord);
    return payment.partnerId === key.partnerId ? { payment, etag: row.etag } : undefined;
  }
  return {
    findOrTombstone,
    async find(key: PaymentKey): Promise<StoredPayment | undefined> {
      const found = await findOrTombstone(key);
      return found && lacksPayment(found) ? undefined : found;
    },
    /**
     * Throws `Conflict` if the session or a removed message changed since it was read, the report was recorded before, the command was
     * aborted, or another payment took the terminal.
     */
    async commit(key: PaymentKey, commit: PaymentCommit): Promise<void> {
      await submitMarked(rows, terminalPartition(key.terminalId), operationsOf(key, commit));
    },
    /** Makes every request of the session at this terminal fail. Throws `Conflict` if there is a payment or a tombstone. */
    async leaveTombstone(key: PaymentKey, at: Instant): Promise<void> {
      await rows.submit(terminalPartition(key.terminalId), [
        { kind: "insert", rowKey: paymentRow(key), columns: tombstoneColumns({ ...paymentKeyOf(key), at }) },
        changedMark(paymentSubjectOf(key), dayOf(at)),
      ]);
    },
    async findReport(key: PaymentKey, reportId: string): Promise<RecordedReport | undefined> {
      const row = await rows.get(terminalPartition(key.terminalId), reportRow(key, reportId));
      return row && fromRow(row, recordedReportRecord);
    },
    /** The receipt of a change. Undefined if it had none, or was purged. */
    async receipt(key: PaymentKey, entry: Pick<RecordedEntry, "at" | "sequence">): Promise<Receipt | undefined> {
      const row = await rows.get(terminalPartition(key.terminalId), receiptRow(key, entry));
      return row && fromRow(row, receiptRecord);
    },
    /** The payment's changes, the oldest first. */
    async history(key: PaymentKey): Promise<RecordedEntry[]> {
      return (await rows.withPrefix(terminalPartition(key.terminalId), historyPrefix(key))).map(toEntry);
    },
  };
}

export type Payments = ReturnType<typeof paymentsTable>;

/**
 * The group of a commit: the payment, its history entry and its marks, and the claim, the messages, the bookings, the receipt, the command and
 * the report if there are any.
 */
function operationsOf(key: PaymentKey, commit: PaymentCommit): Operation[] {
  const { payment, read, entry, claim, command, booked, receipt } = commit;
  const columns = paymentColumns(payment);
  const subject = paymentSubjectOf(key);
  const operations: Operation[] = [
    read
      ? { kind: "replace", rowKey: paymentRow(key), columns, etag: read.etag }
      : { kind: "insert", rowKey: paymentRow(key), columns },
    ...marksOf(subject, read && markedIn(read.payment), markedIn(payment)),
    { kind: "insert", rowKey: historyRow(key, entry.sequence), columns: toColumns(entry, { event: entry.event }) },
  ];
  if (claim === "freed") operations.push(freeClaim);
  else if (claim) operations.push(writeClaim(claim, holdingSessionOf(payment)));
  operations.push(...inboxOperations(commit));
  if (booked) operations.push(...bookingRows(booked));
  if (receipt) operations.push({ kind: "insert", rowKey: receiptRow(key, entry), columns: toColumns(receipt) });
  if (command) {
    const { sequence, updatedAt: at } = payment;
    operations.push(...committedCommand(subject, command, { sequence, at }));
  }
  if (entry.reportId !== undefined) {
    const columns = toColumns({ sequence: payment.sequence, messageId: entry.messageId, said: entry.said });
    operations.push({ kind: "insert", rowKey: reportRow(key, entry.reportId), columns });
  }
  return operations;
}

const inboxOperations = ({ removed = [], discarded, messages = [] }: PaymentCommit): Operation[] => [
  ...removed.map(removeMessage),
  ...messages.flatMap(heldMessage),
  ...(discarded ? [discardMessage(discarded)] : []),
];

/** The payment's session as its terminal's claim holds it. */
export const holdingSessionOf = ({ sessionId, asReceived }: Payment): HoldingSession => ({
  sessionId,
  asReceived: asReceived.sessionId,
});

/** The payment as its marks show it. */
const markedIn = (payment: Payment): Marked => ({ hasEnded: paymentHasEnded(payment), updatedAt: payment.updatedAt });

const paymentColumns = (payment: Payment): Columns =>
  toColumns(payment, { status: payment.status, sequence: payment.sequence });

const toEntry = (row: Row): RecordedEntry => fromRow(row, recordedEntryRecord);
