import {
  dayIsSettled,
  type DayClosing,
  type TerminalDay,
  closingRecord,
  terminalDayRecord,
} from "../domain/terminal-day/terminal-day.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { TerminalDayKey } from "../ports/subjects.ts";
import { closingRow, terminalDayRow, terminalPartition } from "./keys.ts";
import { type Marked, marksOf, submitMarked } from "./marks.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

export interface StoredTerminalDay {
  readonly terminalDay: TerminalDay;
  readonly etag: string;
}

/** The rows of one entity group. */
export interface TerminalDayCommit {
  readonly terminalDay: TerminalDay;
  /** The day as it was read. Undefined for a new day. */
  readonly read: StoredTerminalDay | undefined;
  /** The closing that made the change. Undefined if another cause made it. */
  readonly closing?: DayClosing | undefined;
  readonly command: NewCommand | undefined;
}

/** The business days of terminals in the table `Terminals`, each in the partition of its terminal. */
export function terminalDaysTable(rows: Rows) {
  return {
    async find(key: TerminalDayKey): Promise<StoredTerminalDay | undefined> {
      const row = await rows.get(terminalPartition(key.terminalId), terminalDayRow(key.day));
      return row && { terminalDay: fromRow(row, terminalDayRecord), etag: row.etag };
    },
    /** A closing by its own identifier, whether or not it is the latest. */
    async findClosing(key: TerminalDayKey, closingId: string): Promise<DayClosing | undefined> {
      const row = await rows.get(terminalPartition(key.terminalId), closingRow(key.day, closingId));
      return row && fromRow(row, closingRecord);
    },
    /** Throws `Conflict` if the day changed since it was read, the closing was taken before, or the command was aborted. */
    async commit(commit: TerminalDayCommit): Promise<void> {
      const { terminalDay, read, closing, command } = commit;
      const { partnerId, terminalId, day, status, sequence, updatedAt: at } = terminalDay;
      const subject = { kind: "terminalDay", partnerId, terminalId, day } as const;
      const own = { rowKey: terminalDayRow(day), columns: toColumns(terminalDay, { status }) };
      const operations: Operation[] = [
        read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own },
        ...marksOf(subject, read && markedIn(read.terminalDay), markedIn(terminalDay)),
      ];
      if (closing) {
        const rowKey = closingRow(day, closing.closingId);
        operations.push({ kind: "insert", rowKey, columns: toColumns(closing) });
      }
      if (command) operations.push(...committedCommand(subject, command, { sequence, at }));
      await submitMarked(rows, terminalPartition(terminalId), operations);
    },
  };
}

const markedIn = (terminalDay: TerminalDay): Marked => ({ ...terminalDay, hasEnded: dayIsSettled(terminalDay) });

/** The business days of terminals. */
export type TerminalDays = ReturnType<typeof terminalDaysTable>;
