import { dueMessages, sequenceAfterLost } from "../../../shared/domain/payment/operator/restore.ts";
import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import { dayOf, type Instant } from "../../../shared/domain/time.ts";
import { paymentSubjectOf, type PaymentKey } from "../../../shared/ports/subjects.ts";
import { commandRecord, type Command } from "../../../shared/stores/commands.ts";
import { paymentRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { tombstoneRecord, unreadableColumns } from "../../../shared/stores/payments.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import type { PlainRow } from "./exported-row.ts";
import { doneIn } from "./last-day.ts";
import { ofSession, rowsOfKind, withoutEtag, type ExportedPayment } from "./read-payment.ts";
import { marksOf } from "./restored-marks.ts";
import type { ImportPlan } from "./verified-plan.ts";

/**
 * A payment in the form that the import writes. Its sequence skips the numbers that lost changes may have used. Its commands mark only
 * effects as done whose results the export holds.
 */
export const restoredPayment = (
  { payment, history, commands }: ExportedPayment,
  { begunAt, feeds }: ImportPlan,
): ExportedPayment => ({
  payment: { ...payment, sequence: sequenceAfterLost(payment.sequence), unclaimed: undefined },
  history,
  commands: commands.map((command) => ({ ...command, done: [...doneIn(command, begunAt, feeds.events)] })),
});

/** The rows of a payment in its restored form, with its marks. */
export function paymentRows(
  rows: readonly PlainRow[],
  { payment, history, commands: all }: ExportedPayment,
): readonly PlainRow[] {
  const { sequence } = payment;
  const commands = new Map(all.map((command) => [command.commandId, command]));
  const written = rows.map((row) => {
    if (kindOfRow(row.rowKey) === ofSession.own) return changed(row, payment, { sequence });
    if (kindOfRow(row.rowKey) !== ofSession.command) return row;
    const before = fromRow(withoutEtag(row), commandRecord);
    const command = commands.get(before.commandId);
    return command && command.done.length < before.done.length ? changed(row, command) : row;
  });
  const marks = marksOf(paymentSubjectOf(payment), terminalPartition(payment.terminalId), {
    hasEnded: paymentHasEnded(payment),
    days: history.map(({ at }) => dayOf(at)),
    commands: all,
  });
  return [...written, ...marks];
}

/**
 * The messages of a payment that are due, because it awaits an answer to them. They are written as fetched. The terminal may have received
 * them since the export, so the inbox must not suggest that it did not.
 */
export function dueMessagesOf({ payment, commands }: ExportedPayment): readonly InboxEntry[] {
  const due = new Set(dueMessages(payment));
  return commands.flatMap(fetchedMessages).filter(({ slot }) => due.has(slot.sequence));
}

/** The messages of a command, as fetched. */
export const fetchedMessages = ({ effects, commandId: messageId }: Omit<Command, "etag">): readonly InboxEntry[] =>
  effects.flatMap((effect) => {
    if (effect.kind !== "message") return [];
    const { terminalId: _, ...message } = effect.envelope;
    return [{ ...message, messageId, state: "fetched" }];
  });

/** The rows that bar the session of a payment that is left out. They replace all its rows, so none of its work is carried out. */
export function barredRows(key: PaymentKey, at: Instant): readonly PlainRow[] {
  const partitionKey = terminalPartition(key.terminalId);
  const own = { partitionKey, rowKey: paymentRow(key), columns: unreadableColumns(key, at) };
  return [own, ...marksOf(paymentSubjectOf(key), partitionKey, { hasEnded: true, days: [dayOf(at)], commands: [] })];
}

/** The marks of a session without a payment: of its tombstone, and of its aborted commands. */
export function marksWithoutPayment(rows: readonly PlainRow[]): readonly PlainRow[] {
  const left = rowsOfKind(rows, ofSession.own).map((row) => fromRow(row, tombstoneRecord));
  const aborted = rowsOfKind(rows, ofSession.command).map((row) => fromRow(row, commandRecord));
  const dated = [...left.map((one) => ({ subject: paymentSubjectOf(one), at: one.at })), ...aborted];
  const days = dated.map(({ at }) => dayOf(at));
  const [first] = dated;
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  return first ? marksOf(first.subject, partitionKey, { hasEnded: true, days, commands: [] }) : [];
}

/** Replaces the row's record and these columns. Its other columns stay. */
function changed(row: PlainRow, record: Payment | Omit<Command, "etag">, visible: PlainRow["columns"] = {}): PlainRow {
  const beside = Object.entries(row.columns).filter(([name]) => !/^data\d+$/.test(name));
  return { ...row, columns: toColumns(record, { ...Object.fromEntries(beside), ...visible }) };
}
