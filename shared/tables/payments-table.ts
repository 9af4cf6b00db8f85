import { recordedReportRecord } from "../domain/payment/reports/answered.ts";
import { paymentRecord, type Payment } from "../domain/payment/record/payment.ts";
import {
  isCancelledFirst,
  recordedEntryRecord,
  tombstoneRecord,
  type Payments,
  type RecordedEntry,
} from "../ports/payments.ts";
import { committedCommand } from "./commands-table.ts";
import { HISTORY_PREFIX, historyRow, paymentPartition, reportRow, SESSION_ROW } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "./rows.ts";

/** A partner that goes on cancelling a session for terminals that it makes up fills no row: the oldest are left out. */
const MOST_TERMINALS = 100;
/** The status column of a tombstone; no payment has it. */
const TOMBSTONE_STATUS = "tombstone";
/** Whether the row of a session stands for one that must not come to be. */
export const isTombstone = ({ columns }: Row): boolean => columns["status"] === TOMBSTONE_STATUS;

/** Payment sessions in the table `Payments`, one partition each. */
export function paymentsTable(rows: Rows): Payments {
  const findOrTombstone: Payments["findOrTombstone"] = async (key) => {
    const row = await rows.get(paymentPartition(key), SESSION_ROW);
    if (!row) return undefined;
    if (isTombstone(row)) return { ...fromRow(row, tombstoneRecord), etag: row.etag };
    return { payment: fromRow(row, paymentRecord), etag: row.etag };
  };
  return {
    findOrTombstone,
    async find(key) {
      const found = await findOrTombstone(key);
      return found && isCancelledFirst(found) ? undefined : found;
    },
    async commit(key, { payment, etag, entry, command }) {
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
      await rows.submit(paymentPartition(key), operations);
    },
    async unlist({ payment, etag }) {
      const columns = paymentColumns({ ...payment, listedOn: undefined });
      await rows.submit(paymentPartition(payment), [{ kind: "replace", rowKey: SESSION_ROW, columns, etag }]);
    },
    async leaveTombstone(key, terminalId, before) {
      const terminalIds = [...(before?.terminalIds ?? []), terminalId].slice(-MOST_TERMINALS);
      const row = { rowKey: SESSION_ROW, columns: toColumns({ terminalIds }, { status: TOMBSTONE_STATUS }) };
      const write: Operation = before ? { kind: "replace", ...row, etag: before.etag } : { kind: "insert", ...row };
      await rows.submit(paymentPartition(key), [write]);
    },
    async findReport(key, reportId) {
      const row = await rows.get(paymentPartition(key), reportRow(reportId));
      return row && fromRow(row, recordedReportRecord);
    },
    async history(key) {
      return (await rows.withPrefix(paymentPartition(key), HISTORY_PREFIX)).map(toEntry);
    },
  };
}

const paymentColumns = (payment: Payment): Columns =>
  toColumns(payment, { status: payment.status, sequence: payment.sequence });

const toEntry = (row: Row): RecordedEntry => fromRow(row, recordedEntryRecord);
