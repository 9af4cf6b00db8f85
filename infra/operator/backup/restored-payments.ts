import { sequenceAfterLost } from "../../../shared/domain/payment/operator/restore.ts";
import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf, type Instant } from "../../../shared/domain/time.ts";
import { paymentSubjectOf, type PaymentKey } from "../../../shared/ports/subjects.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import { COMMAND_PREFIX, paymentRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { tombstoneRecord, unreadableColumns } from "../../../shared/stores/payments.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { PlainRow } from "./exported-row.ts";
import { doneIn, type LastDay } from "./last-day.ts";
import { marksOf } from "./restored-marks.ts";
import { OWN_ROW, together } from "./payments-apart.ts";
import type { RestorePlan } from "./restore-plan.ts";
import { paymentIn, withoutEtag, type ExportedPayment } from "./read-payment.ts";

/**
 * A payment in the form that the import writes. Its sequence skips the numbers that lost changes may have used. Its commands mark only
 * effects as done whose results the export holds.
 */
export const restoredPayment = (
  { payment, history, commands }: ExportedPayment,
  lastDay: LastDay,
): ExportedPayment => ({
  payment: { ...payment, sequence: sequenceAfterLost(payment.sequence) },
  history,
  commands: commands.map((command) => ({ ...command, done: [...doneIn(command, lastDay)] })),
});

/** The rows of a payment in its table in the form that the import writes, with its marks. */
export function paymentRows(
  rows: readonly PlainRow[],
  { lastDay, unclaimed }: Pick<RestorePlan, "lastDay" | "unclaimed">,
): readonly PlainRow[] {
  const stored = rows.map((row) => together("payments", row));
  const partitionKey = stored[0]?.partitionKey ?? "";
  const found = paymentIn(rows);
  if (!found) return [...stored, ...marksWithoutPayment(rows, partitionKey)];
  const restored = restoredPayment(found, lastDay);
  const { sequence } = restored.payment;
  const isUnclaimed = unclaimed.has(rows[0]?.partitionKey ?? "");
  const payment: Payment = { ...restored.payment, unclaimed: isUnclaimed ? true : undefined };
  const commands = new Map(restored.commands.map((command) => [command.commandId, command]));
  const written = rows.map((row) => {
    if (row.rowKey === OWN_ROW) return changed(row, payment, { sequence });
    if (!row.rowKey.startsWith(COMMAND_PREFIX)) return row;
    const before = fromRow(withoutEtag(row), commandRecord);
    const command = commands.get(before.commandId);
    return command && command.done.length < before.done.length ? changed(row, command) : row;
  });
  const marks = marksOf(paymentSubjectOf(payment), partitionKey, {
    hasEnded: paymentHasEnded(payment),
    days: found.history.map(({ at }) => dayOf(at)),
    commands: restored.commands,
  });
  return [...written.map((row) => together("payments", row)), ...marks];
}

/** The rows that bar the session of a payment that is left out. They replace all its rows, so none of its work is carried out. */
export function barredRows(key: PaymentKey, at: Instant): readonly PlainRow[] {
  const partitionKey = terminalPartition(key.terminalId);
  const own = { partitionKey, rowKey: paymentRow(key), columns: unreadableColumns(key, at) };
  return [own, ...marksOf(paymentSubjectOf(key), partitionKey, { hasEnded: true, days: [dayOf(at)], commands: [] })];
}

/** The marks of a session without a payment: of its tombstone, and of its aborted commands. */
function marksWithoutPayment(rows: readonly PlainRow[], partitionKey: string): readonly PlainRow[] {
  const those = (prefix: string) => rows.filter(({ rowKey }) => rowKey.startsWith(prefix)).map(withoutEtag);
  const left = those(OWN_ROW).map((row) => fromRow(row, tombstoneRecord));
  const aborted = those(COMMAND_PREFIX).map((row) => fromRow(row, commandRecord));
  const dated = [...left.map((one) => ({ subject: paymentSubjectOf(one), at: one.at })), ...aborted];
  const [first] = dated;
  const days = dated.map(({ at }) => dayOf(at));
  return first ? marksOf(first.subject, partitionKey, { hasEnded: true, days, commands: [] }) : [];
}

/** Replaces the row's record and these columns. Its other columns stay. */
function changed(row: PlainRow, record: unknown, visible: PlainRow["columns"] = {}): PlainRow {
  const beside = Object.entries(row.columns).filter(([name]) => !/^data\d+$/.test(name));
  return { ...row, columns: toColumns(record, { ...Object.fromEntries(beside), ...visible }) };
}
