import * as z from "zod";
import { historyEntryRecord } from "../domain/payment/life/advance.ts";
import { type RecordedReport, recordedReportRecord } from "../domain/payment/reports/answered.ts";
import { paymentRecord } from "../domain/payment/record/payment.ts";
import type { RecordOf } from "../domain/record.ts";
import { day } from "../domain/time.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { PaymentKey } from "../ports/subjects.ts";
import { HISTORY_PREFIX, historyRow, paymentPartition, reportRow, SESSION_ROW } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

/** The payment's entries in the lists. They are part of the payment's row, and no decision reads them. */
const listing = {
  /** The day under which it is listed. If it is set, the payment is also listed as open. */
  listedOn: day.optional(),
  /** ETag of its entry in the list of open subjects. The entry is removed with this ETag. */
  listedAs: z.string().optional(),
};
export const listedPaymentRecord = paymentRecord.extend(listing);
export interface ListedPayment extends RecordOf<typeof listedPaymentRecord> {}

export interface StoredPayment {
  readonly payment: ListedPayment;
  readonly etag: string;
}

/** A session without a payment, as its row holds it: it was cancelled before it was requested, or its payment cannot be read any more. */
export const tombstoneRecord = z.object({
  /**
   * The terminals that the cancels named, the latest last. A slow request for one of them must fail. A request for another terminal is
   * accepted.
   */
  terminalIds: z.array(z.string()),
  /** A restore could not read the payment. Every request of the session fails, since a card may have been charged. */
  unreadable: z.literal(true).optional(),
});
export interface Tombstone extends RecordOf<typeof tombstoneRecord> {
  readonly etag: string;
}

/** Whether the session has no payment: it was cancelled before it was requested, and not requested since, or it is unreadable. */
export const lacksPayment = (found: StoredPayment | Tombstone): found is Tombstone => "terminalIds" in found;
/** Whether a request of the session for this terminal must fail. */
export const isBarred = ({ terminalIds, unreadable }: Tombstone, terminalId: string): boolean =>
  unreadable === true || terminalIds.includes(terminalId);

export const recordedEntryRecord = historyEntryRecord.extend({
  /** The command that this change committed, if it has effects. */
  commandId: z.string().optional(),
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

/** The rows of one entity group. A payment changes only by such a group. */
export interface PaymentCommit {
  readonly payment: ListedPayment;
  /** ETag of the payment as it was read, or of the tombstone for a new session. Undefined for a new session without a tombstone. */
  readonly etag: string | undefined;
  /** The change's line in the history. The report that it names is stored, so that a repeated report is recognised. */
  readonly entry: RecordedEntry;
  /** The effects for the workers, under the command identifier that was announced before. Undefined if there are none. */
  readonly command?: NewCommand | undefined;
}

/** Keeps the row small if a partner goes on cancelling a session for invented terminals. The oldest terminals are left out. */
const MOST_TERMINALS = 100;
/** The status column of a tombstone. No payment has this status. */
const TOMBSTONE_STATUS = "tombstone";
/** The columns of a session whose payment a restore could not read. */
export const unreadableColumns = (): Columns =>
  toColumns({ terminalIds: [], unreadable: true } satisfies z.infer<typeof tombstoneRecord>, {
    status: TOMBSTONE_STATUS,
  });
/** Whether the row of a session is a tombstone, so that no payment may be created for it. */
export const isTombstone = ({ columns }: Pick<Row, "columns">): boolean => columns["status"] === TOMBSTONE_STATUS;

/** Payment sessions in the table `Payments`, one partition each. */
export function paymentsTable(rows: Rows) {
  /** For the request and the cancel. Both must distinguish an absent session from a session that was cancelled before it was requested. */
  async function findOrTombstone(key: PaymentKey): Promise<StoredPayment | Tombstone | undefined> {
    const row = await rows.get(paymentPartition(key), SESSION_ROW);
    if (!row) return undefined;
    if (isTombstone(row)) return { ...fromRow(row, tombstoneRecord), etag: row.etag };
    return { payment: fromRow(row, listedPaymentRecord), etag: row.etag };
  }
  return {
    findOrTombstone,
    async find(key: PaymentKey): Promise<StoredPayment | undefined> {
      const found = await findOrTombstone(key);
      return found && lacksPayment(found) ? undefined : found;
    },
    /** Throws `Conflict` if the session changed since it was read, the report was recorded before, or the command was aborted. */
    async commit(key: PaymentKey, commit: PaymentCommit): Promise<void> {
      await rows.submit(paymentPartition(key), operationsOf(key, commit));
    },
    /**
     * Records that the payment has left the list of open payments. This does not change the payment: it has neither a sequence nor a
     * history entry. It does replace the ETag, so that a commit by an earlier reader fails. Throws `Conflict` if the session changed since
     * it was read.
     */
    async unlist(read: StoredPayment): Promise<void> {
      const { payment, etag } = read;
      const columns = paymentColumns({ ...payment, listedOn: undefined });
      await rows.submit(paymentPartition(payment), [{ kind: "replace", rowKey: SESSION_ROW, columns, etag }]);
    },
    /**
     * Makes requests of the session for the terminal fail. `before`: the tombstone as it was read; undefined if there was no row. Throws
     * `Conflict` if the row changed since.
     */
    async leaveTombstone(key: PaymentKey, terminalId: string, before: Tombstone | undefined): Promise<void> {
      const terminalIds = [...(before?.terminalIds ?? []), terminalId].slice(-MOST_TERMINALS);
      const row = { rowKey: SESSION_ROW, columns: toColumns({ terminalIds }, { status: TOMBSTONE_STATUS }) };
      const write: Operation = before ? { kind: "replace", ...row, etag: before.etag } : { kind: "insert", ...row };
      await rows.submit(paymentPartition(key), [write]);
    },
    async findReport(key: PaymentKey, reportId: string): Promise<RecordedReport | undefined> {
      const row = await rows.get(paymentPartition(key), reportRow(reportId));
      return row && fromRow(row, recordedReportRecord);
    },
    /** The payment's changes, the oldest first. */
    async history(key: PaymentKey): Promise<RecordedEntry[]> {
      return (await rows.withPrefix(paymentPartition(key), HISTORY_PREFIX)).map(toEntry);
    },
  };
}

export type Payments = ReturnType<typeof paymentsTable>;

/** The group of a commit: the payment, its history entry, and the command and the report if there are any. */
function operationsOf(key: PaymentKey, { payment, etag, entry, command }: PaymentCommit): Operation[] {
  const columns = paymentColumns(payment);
  const operations: Operation[] = [
    etag === undefined
      ? { kind: "insert", rowKey: SESSION_ROW, columns }
      : { kind: "replace", rowKey: SESSION_ROW, columns, etag },
    { kind: "insert", rowKey: historyRow(entry.sequence), columns: toColumns(entry, { event: entry.event }) },
  ];
  if (command) {
    const { partnerId, sessionId } = key;
    const subject = { kind: "payment", partnerId, sessionId } as const;
    const { sequence, updatedAt: at } = payment;
    operations.push(committedCommand(subject, command, { sequence, at }));
  }
  if (entry.reportId !== undefined) {
    const columns = toColumns({ sequence: payment.sequence, messageId: entry.messageId, said: entry.said });
    operations.push({ kind: "insert", rowKey: reportRow(entry.reportId), columns });
  }
  return operations;
}

const paymentColumns = (payment: ListedPayment): Columns =>
  toColumns(payment, { status: payment.status, sequence: payment.sequence });

const toEntry = (row: Row): RecordedEntry => fromRow(row, recordedEntryRecord);
