import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import { isSameButForLost } from "../../../shared/domain/payment/operator/restore.ts";
import { paymentRecord, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { recordedEntryRecord, type RecordedEntry, isTombstone } from "../../../shared/stores/payments.ts";
import { COMMAND_PREFIX, part } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { PlainRow } from "./exported-row.ts";
import { HISTORY, OWN_ROW, REPORTS } from "./payments-apart.ts";

/** A payment, with the changes in its partition. */
export interface ExportedPayment {
  readonly payment: Payment;
  /** In order of sequence. */
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Omit<Command, "etag">[];
}

/** The payment of a partition of the file of payments. Undefined if it holds only a tombstone or aborted commands. */
export function paymentIn(rows: readonly PlainRow[]): ExportedPayment | undefined {
  const session = rows.find(({ rowKey }) => rowKey === OWN_ROW);
  if (!session || isTombstone(session)) return undefined;
  const read = (prefix: string) => rows.filter(({ rowKey }) => rowKey.startsWith(prefix)).map(withoutEtag);
  return {
    payment: fromRow(withoutEtag(session), paymentRecord),
    history: read(HISTORY).map((row) => fromRow(row, recordedEntryRecord)),
    commands: read(COMMAND_PREFIX).map((row) => fromRow(row, commandRecord)),
  };
}

export const withoutEtag = (row: PlainRow) => ({ ...row, etag: "" });

/**
 * Whether the payment is consistent with the rows of its partition. It must match its last change, and each change must have the command
 * and the report that were written with it.
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
      return hasCommand && (reportId === undefined || keys.has(REPORTS + part(reportId)));
    })
  );
}
