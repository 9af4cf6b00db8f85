import * as z from "zod";
import { effectId, isImpliedBySubject, storedEffectRecord } from "../domain/effects.ts";
import { actors } from "../domain/payment/record/events.ts";
import type { RecordOf } from "../domain/record.ts";
import { dayOf, instant, type Instant } from "../domain/time.ts";
import { attemptRecord, type WebhookAttempt } from "../domain/webhook-attempt.ts";
import { subjectRecord, type PartnerSubject, type Subject } from "../ports/subjects.ts";
import { usedKeyRecord } from "./idempotency-keys.ts";
import { changedMark, commandMark, submitMarked } from "./marks.ts";
import {
  locate,
  commandRow,
  commandsPrefix,
  openCommandRow,
  type SubjectTables,
  webhookPrefix,
  webhookRow,
  webhooksPrefix,
} from "./subject-rows.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation } from "../ports/rows.ts";

const eventContentRecord = z.object({
  /** The subject as JSON: the same object as in a response. */
  data: z.unknown(),
  /** The address that the subject's own request names. Undefined if the partner's own address is used. */
  url: z.string().optional(),
  /** The actor that caused the change. Absent in an event from before this was kept. */
  causedBy: z.enum(actors).optional(),
});
export interface EventContent extends RecordOf<typeof eventContentRecord> {}

/** A command as its row holds it. */
export const commandRecord = z.object({
  commandId: z.string(),
  subject: subjectRecord,
  /** `aborted`: it was not committed in time, and never can be. */
  state: z.enum(["ready", "aborted"]),
  /** The sequence of the change that committed it. */
  sequence: z.int(),
  /** When that change was made, or the command was aborted. */
  at: instant,
  effects: z.array(storedEffectRecord),
  /** The content of its events, frozen at the commit. They share it, since they show the same subject at the same moment. */
  event: eventContentRecord.optional(),
  /** The partner's key that proved the request; undefined if no partner made it. */
  keyId: z.string().optional(),
  /** The user whose Basic credentials proved the request; undefined if no consumer made it. */
  user: z.string().optional(),
  /** The `Idempotency-Key` with which the change was requested. */
  idempotency: usedKeyRecord.optional(),
  /** The effects that were carried out, by `effectId`. */
  done: z.array(z.string()),
});
export interface Command extends RecordOf<typeof commandRecord> {
  readonly etag: string;
}

/** A command as a commit writes it. */
export type NewCommand = Pick<Command, "commandId" | "effects" | "event" | "keyId" | "user" | "idempotency">;

const commandColumns = (command: RecordOf<typeof commandRecord>): Columns =>
  toColumns(command, { state: command.state });

const replaced = (subject: Subject, { etag, ...command }: Command): Operation => ({
  kind: "replace",
  rowKey: commandRow(subject, command.commandId),
  columns: commandColumns(command),
  etag,
});

const attemptOperation = (subject: Subject, attempt: WebhookAttempt): Operation => ({
  kind: "overwrite",
  rowKey: webhookRow(subject, attempt.eventId, attempt.attempt),
  columns: toColumns(attempt, { type: attempt.type }),
});

/** Whether no effect of the command is left to be carried out and marked. True for an aborted command too. */
export const isCarriedOut = ({ subject, state, effects, done }: Omit<Command, "etag">): boolean =>
  state === "aborted" ||
  effects.every((effect) => isImpliedBySubject(effect, subject) || done.includes(effectId(effect)));

/** The command's row for the group that commits it, with the sequence and the time of its change, and its mark. */
export function committedCommand(
  subject: Subject,
  command: NewCommand,
  { sequence, at }: Pick<RecordOf<typeof commandRecord>, "sequence" | "at">,
): Operation[] {
  const committed = { ...command, subject, state: "ready", sequence, at, done: [] } as const;
  const { commandId } = command;
  return [
    { kind: "insert", rowKey: commandRow(subject, commandId), columns: commandColumns(committed) },
    ...(isCarriedOut(committed) ? [] : [commandMark(subject, commandId)]),
  ];
}

/** Commands, each stored in the partition of the record that it changed, in the table of that record. */
export function commandsTable(tables: SubjectTables) {
  return {
    async find(subject: Subject, commandId: string): Promise<Command | undefined> {
      const [rows, partition] = locate(tables, subject);
      const row = await rows.get(partition, commandRow(subject, commandId));
      return row && { ...fromRow(row, commandRecord), etag: row.etag };
    },
    /** All commands of the subject, aborted ones included. */
    async ofSubject(subject: Subject): Promise<Command[]> {
      const [rows, partition] = locate(tables, subject);
      return (await rows.withPrefix(partition, commandsPrefix(subject))).map((row) => ({
        ...fromRow(row, commandRecord),
        etag: row.etag,
      }));
    },
    /**
     * Inserts a tombstone in the command's row, so that a commit on its way fails. Marks its subject, which may never exist, so that a
     * purge finds the row. Throws `Conflict` if the row exists.
     */
    async abortCommand(subject: Subject, commandId: string, at: Instant): Promise<void> {
      const [rows, partition] = locate(tables, subject);
      const columns = commandColumns({ commandId, subject, state: "aborted", sequence: 0, at, effects: [], done: [] });
      await rows.submit(partition, [
        { kind: "insert", rowKey: commandRow(subject, commandId), columns },
        changedMark(subject, dayOf(at)),
      ]);
    },
    /**
     * Marks an effect done, and records the attempt that did it in the same group. The last effect of the command removes its mark. Throws
     * `Conflict` if the command changed since it was read.
     */
    async markDone(subject: Subject, command: Command, effect: string, attempt?: WebhookAttempt): Promise<void> {
      const [rows, partition] = locate(tables, subject);
      const marked = { ...command, done: [...new Set([...command.done, effect])] };
      const isLast = isCarriedOut(marked) && !isCarriedOut(command);
      const { commandId } = command;
      await submitMarked(rows, partition, [
        replaced(subject, marked),
        ...(isLast ? [{ kind: "discard", rowKey: openCommandRow(subject, commandId) } as const] : []),
        ...(attempt ? [attemptOperation(subject, attempt)] : []),
      ]);
    },
    async recordAttempt(subject: Subject, attempt: WebhookAttempt): Promise<void> {
      const [rows, partition] = locate(tables, subject);
      await rows.submit(partition, [attemptOperation(subject, attempt)]);
    },
    async findAttempt(subject: Subject, eventId: string, attempt: number): Promise<WebhookAttempt | undefined> {
      const [rows, partition] = locate(tables, subject);
      const row = await rows.get(partition, webhookRow(subject, eventId, attempt));
      return row && fromRow(row, attemptRecord);
    },
    /** The attempts of one event, or of every event of the subject. */
    async attempts(subject: PartnerSubject, eventId?: string): Promise<WebhookAttempt[]> {
      const [rows, partition] = locate(tables, subject);
      const prefix = eventId === undefined ? webhooksPrefix(subject) : webhookPrefix(subject, eventId);
      return (await rows.withPrefix(partition, prefix)).map((row) => fromRow(row, attemptRecord));
    },
  };
}

export type Commands = ReturnType<typeof commandsTable>;
