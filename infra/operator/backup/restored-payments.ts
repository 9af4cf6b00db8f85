import { sequenceAfterLost } from "../../../shared/domain/payment/operator/restore.ts";
import { commandRecord } from "../../../shared/stores/commands.ts";
import { COMMAND_PREFIX } from "../../../shared/stores/keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { PlainRow } from "./exported-row.ts";
import { doneIn, type LastDay } from "./last-day.ts";
import { OWN_ROW } from "./payments-apart.ts";
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

/** The rows of a payment in its file in the form that the import writes. */
export function paymentRows(
  rows: readonly PlainRow[],
  { lastDay, unclaimed }: Pick<RestorePlan, "lastDay" | "unclaimed">,
): readonly PlainRow[] {
  const found = paymentIn(rows);
  if (!found) return rows;
  const restored = restoredPayment(found, lastDay);
  const { sequence } = restored.payment;
  const isUnclaimed = unclaimed.has(rows[0]?.partitionKey ?? "");
  const payment = { ...restored.payment, unclaimed: isUnclaimed ? true : undefined };
  const commands = new Map(restored.commands.map((command) => [command.commandId, command]));
  return rows.map((row) => {
    if (row.rowKey === OWN_ROW) return changed(row, payment, { sequence });
    if (!row.rowKey.startsWith(COMMAND_PREFIX)) return row;
    const before = fromRow(withoutEtag(row), commandRecord);
    const command = commands.get(before.commandId);
    return command && command.done.length < before.done.length ? changed(row, command) : row;
  });
}

/** Replaces the row's record and these columns. Its other columns stay. */
function changed(row: PlainRow, record: unknown, visible: PlainRow["columns"] = {}): PlainRow {
  const beside = Object.entries(row.columns).filter(([name]) => !/^data\d+$/.test(name));
  return { ...row, columns: toColumns(record, { ...Object.fromEntries(beside), ...visible }) };
}
