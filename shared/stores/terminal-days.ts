import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import {
  dayIsSettled,
  type DayClosing,
  type TerminalDay,
  closingRecord,
  terminalDayRecord,
} from "../domain/terminal-day/terminal-day.ts";
import { type Day, instant, type Instant } from "../domain/time.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { TerminalDayKey } from "../ports/subjects.ts";
import { closingRow, terminalDayRow, terminalPartition } from "./keys.ts";
import { type Marked, marksOf, submitMarked } from "./marks.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

/** A terminal's day as its row holds it. Every booking of the day writes the row again, so that a decision on an older version fails. */
export const dayRecord = z.object({
  /** Undefined if the day has no totals, and nothing was done about them yet. */
  terminalDay: terminalDayRecord.optional(),
  /** The terminal is entered in its partner's day. If it is not, the partner's day may be closed although this row shows nothing of it. */
  isEntered: z.boolean(),
  /** No booking is added since this moment. */
  closedAt: instant.optional(),
});
export interface DayRecord extends RecordOf<typeof dayRecord> {}
export interface StoredDay extends DayRecord {
  readonly etag: string;
}

/** The rows of one entity group. */
export interface TerminalDayCommit {
  readonly terminalDay: TerminalDay;
  /** The day as it was read. Undefined for a day without a row. */
  readonly read: StoredDay | undefined;
  /** When the change also closes the day's books. */
  readonly closedAt?: Instant | undefined;
  /** The closing that made the change. Undefined if another cause made it. */
  readonly closing?: DayClosing | undefined;
  readonly command: NewCommand | undefined;
}

/** The business days of terminals in the table `Terminals`, each in the partition of its terminal. */
export function terminalDaysTable(rows: Rows) {
  return {
    async find({ terminalId, day }: Pick<TerminalDayKey, "terminalId" | "day">): Promise<StoredDay | undefined> {
      const row = await rows.get(terminalPartition(terminalId), terminalDayRow(day));
      return row && { ...fromRow(row, dayRecord), etag: row.etag };
    },
    /** A closing by its own identifier, whether or not it is the latest. */
    async findClosing(key: TerminalDayKey, closingId: string): Promise<DayClosing | undefined> {
      const row = await rows.get(terminalPartition(key.terminalId), closingRow(key.day, closingId));
      return row && fromRow(row, closingRecord);
    },
    /** Throws `Conflict` if the day changed since it was read, the closing was taken before, or the command was aborted. */
    async commit({ terminalDay, read, closedAt = read?.closedAt, closing, command }: TerminalDayCommit): Promise<void> {
      const { partnerId, terminalId, day, sequence, updatedAt: at } = terminalDay;
      const subject = { kind: "terminalDay", partnerId, terminalId, day } as const;
      const operations: Operation[] = [
        dayOperation(day, { isEntered: false, ...read, closedAt, terminalDay }, read),
        ...marksOf(subject, read?.terminalDay && markedIn(read.terminalDay), markedIn(terminalDay)),
      ];
      if (closing) {
        const rowKey = closingRow(day, closing.closingId);
        operations.push({ kind: "insert", rowKey, columns: toColumns(closing) });
      }
      if (command) operations.push(...committedCommand(subject, command, { sequence, at }));
      await submitMarked(rows, terminalPartition(terminalId), operations);
    },
    /** Closes the books of a day without another change of it. Throws `Conflict` if the day changed since it was read. */
    async closeBooks(
      { terminalId, day }: Pick<TerminalDayKey, "terminalId" | "day">,
      closedAt: Instant,
      read: StoredDay | undefined,
    ): Promise<void> {
      const next = { isEntered: true, ...read, closedAt };
      await rows.submit(terminalPartition(terminalId), [dayOperation(day, next, read)]);
    },
  };
}

/** The business days of terminals. */
export type TerminalDays = ReturnType<typeof terminalDaysTable>;

/** Writes the day as it was read for a booking of it, so that everybody who read it before fails. */
export const touchedDay = ({
  day,
  read,
  isEntered,
}: {
  readonly day: Day;
  readonly read: StoredDay | undefined;
  readonly isEntered: boolean;
}): Operation => dayOperation(day, { ...read, isEntered }, read);

function dayOperation(
  day: Day,
  { etag: _, ...next }: DayRecord & { readonly etag?: string },
  read: StoredDay | undefined,
): Operation {
  const status = next.terminalDay?.status;
  const own = { rowKey: terminalDayRow(day), columns: toColumns(next, status === undefined ? {} : { status }) };
  return read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own };
}

const markedIn = (terminalDay: TerminalDay): Marked => ({ ...terminalDay, hasEnded: dayIsSettled(terminalDay) });
