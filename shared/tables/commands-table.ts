import type { RecordOf } from "../domain/record.ts";
import {
  attemptRecord,
  commandRecord,
  type Command,
  type Commands,
  type NewCommand,
  type WebhookAttempt,
} from "../ports/commands.ts";
import {
  actionPartition,
  commandRow,
  commandsPrefix,
  paymentPartition,
  terminalDayPartition,
  webhookPrefix,
  webhookRow,
  webhooksPrefix,
} from "./keys.ts";
import { landingPagePartition } from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Rows } from "./rows.ts";
import type { Subject } from "../ports/subjects.ts";

const commandColumns = (command: RecordOf<typeof commandRecord>): Columns =>
  toColumns(command, { state: command.state });

const replaced = (subject: Subject, { etag, ...command }: Command): Operation => ({
  kind: "replace",
  rowKey: commandRow(subject, command.commandId),
  columns: commandColumns(command),
  etag,
});

const attemptOperation = (attempt: WebhookAttempt): Operation => ({
  kind: "overwrite",
  rowKey: webhookRow(attempt.eventId, attempt.attempt),
  columns: toColumns(attempt, { type: attempt.type }),
});

/** The command's row for the group that commits it, with the sequence and the time of its change. */
export function committedCommand(
  subject: Subject,
  command: NewCommand,
  { sequence, at }: Pick<RecordOf<typeof commandRecord>, "sequence" | "at">,
): Operation {
  const columns = commandColumns({ ...command, subject, state: "ready", sequence, at, done: [] });
  return { kind: "insert", rowKey: commandRow(subject, command.commandId), columns };
}

/** Commands, each stored in the partition of the record that it changed, in whichever table that is. */
export function commandsTable(
  tables: Readonly<Record<"payments" | "actionRequests" | "landingPages" | "terminalDays", Rows>>,
): Commands {
  const locate = (subject: Subject): [Rows, string] => {
    switch (subject.kind) {
      case "payment":
        return [tables.payments, paymentPartition(subject)];
      case "actionRequest":
        return [tables.actionRequests, actionPartition(subject.partnerId)];
      case "tokenRequest":
        return [tables.landingPages, landingPagePartition(subject.landingPageId)];
      case "terminalDay":
        return [tables.terminalDays, terminalDayPartition(subject)];
    }
  };
  return {
    async find(subject, commandId) {
      const [rows, partition] = locate(subject);
      const row = await rows.get(partition, commandRow(subject, commandId));
      return row && { ...fromRow(row, commandRecord), etag: row.etag };
    },
    async ofSubject(subject) {
      const [rows, partition] = locate(subject);
      return (await rows.withPrefix(partition, commandsPrefix(subject))).map((row) => ({
        ...fromRow(row, commandRecord),
        etag: row.etag,
      }));
    },
    async abortCommand(subject, commandId) {
      const [rows, partition] = locate(subject);
      const columns = commandColumns({ commandId, subject, state: "aborted", sequence: 0, effects: [], done: [] });
      await rows.submit(partition, [{ kind: "insert", rowKey: commandRow(subject, commandId), columns }]);
    },
    async markDone(subject, command, effectId, attempt) {
      const [rows, partition] = locate(subject);
      const done = [...new Set([...command.done, effectId])];
      await rows.submit(partition, [
        replaced(subject, { ...command, done }),
        ...(attempt ? [attemptOperation(attempt)] : []),
      ]);
    },
    async leaveAfter(subject, command, leaves) {
      const [rows, partition] = locate(subject);
      await rows.submit(partition, [replaced(subject, { ...command, leaves })]);
    },
    async recordAttempt(subject, attempt) {
      const [rows, partition] = locate(subject);
      await rows.submit(partition, [attemptOperation(attempt)]);
    },
    async findAttempt(subject, eventId, attempt) {
      const [rows, partition] = locate(subject);
      const row = await rows.get(partition, webhookRow(eventId, attempt));
      return row && fromRow(row, attemptRecord);
    },
    async attempts(subject, eventId) {
      const [rows, partition] = locate(subject);
      const prefix = eventId === undefined ? webhooksPrefix(subject) : webhookPrefix(eventId);
      return (await rows.withPrefix(partition, prefix)).map((row) => fromRow(row, attemptRecord));
    },
  };
}
