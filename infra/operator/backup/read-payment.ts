import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import { isSameButForLost } from "../../../shared/domain/payment/operator/restore.ts";
import { paymentRecord, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { recordedEntryRecord, type RecordedEntry, isTombstone } from "../../../shared/stores/payments.ts";
import { reportRow } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import type { PlainRow } from "./exported-row.ts";

/** A payment, with its changes. */
export interface ExportedPayment {
  readonly payment: Payment;
  /** In order of sequence. */
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Omit<Command, "etag">[];
}

/** The kinds of a session's rows. */
export const ofSession = {
  own: "payment~now",
  history: "payment~history",
  command: "payment~command",
} as const;

/** The rows of this kind. */
export const rowsOfKind = (rows: readonly PlainRow[], kind: string) =>
  rows.filter(({ rowKey }) => kindOfRow(rowKey) === kind).map(withoutEtag);

/** The payment in the rows of a session. Undefined if these are only a tombstone or aborted commands. */
export function paymentIn(rows: readonly PlainRow[]): ExportedPayment | undefined {
  const [own] = rowsOfKind(rows, ofSession.own);
  if (!own || isTombstone(own)) return undefined;
  return {
    payment: fromRow(own, paymentRecord),
    history: rowsOfKind(rows, ofSession.history).map((row) => fromRow(row, recordedEntryRecord)),
    commands: rowsOfKind(rows, ofSession.command).map((row) => fromRow(row, commandRecord)),
  };
}

export const withoutEtag = (row: PlainRow) => ({ ...row, etag: "" });

/**
 * Whether the payment is consistent with the rows of its session. It must match its last change, and each change must have the command and
 * the report that were written with it.
 */
export function isOfOneMoment(
  { payment, history, commands: all }: ExportedPayment,
  rows: readonly PlainRow[],
): boolean {
  const keys = new Set(rows.map(({ rowKey }) => rowKey));
  const commands = new Set(all.map(({ commandId }) => commandId));
  return (
    isSameButForLost(payment.sequence, history.at(-1)?.sequence ?? 0) &&
    history.every(({ commandId, reportId }) => {
      const hasCommand = commandId === undefined || commands.has(commandId);
      return hasCommand && (reportId === undefined || keys.has(reportRow(payment, reportId)));
    })
  );
}
