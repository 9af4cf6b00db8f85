import {
  type DayClosing,
  type TerminalDay,
  closingRecord,
  terminalDayRecord,
} from "../domain/terminal-day/terminal-day.ts";
import type { Day } from "../domain/time.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { TerminalDayKey } from "../ports/subjects.ts";
import { closingRow, TERMINAL_DAY_PREFIX, terminalDayPartition, terminalDayRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

export interface StoredTerminalDay {
  readonly terminalDay: TerminalDay;
  readonly etag: string;
}

/** The rows of one entity group. */
export interface TerminalDayCommit {
  readonly terminalDay: TerminalDay;
  /** ETag of the day as it was read. Undefined for a new day. */
  readonly etag: string | undefined;
  /** The closing that made the change. Undefined if another cause made it. */
  readonly closing?: DayClosing | undefined;
  readonly command: NewCommand | undefined;
}

/** The business days of terminals in the table `TerminalDays`. */
export function terminalDaysTable(rows: Rows) {
  return {
    async find(key: TerminalDayKey): Promise<StoredTerminalDay | undefined> {
      const row = await rows.get(terminalDayPartition(key), terminalDayRow(key.terminalId));
      return row && { terminalDay: fromRow(row, terminalDayRecord), etag: row.etag };
    },
    /** Every terminal of the partner that has booked or closed on that day. */
    async ofDay(partnerId: string, day: Day): Promise<TerminalDay[]> {
      const found = await rows.withPrefix(terminalDayPartition({ partnerId, day }), TERMINAL_DAY_PREFIX);
      return found.map((row) => fromRow(row, terminalDayRecord));
    },
    /** A closing by its own identifier, whether or not it is the latest. */
    async findClosing(key: TerminalDayKey, closingId: string): Promise<DayClosing | undefined> {
      const row = await rows.get(terminalDayPartition(key), closingRow(key.terminalId, closingId));
      return row && fromRow(row, closingRecord);
    },
    /** Throws `Conflict` if the day changed since it was read, the closing was taken before, or the command was aborted. */
    async commit(commit: TerminalDayCommit): Promise<void> {
      const { terminalDay, etag, closing, command } = commit;
      const { partnerId, terminalId, day, status, sequence, updatedAt: at } = terminalDay;
      const own = { rowKey: terminalDayRow(terminalId), columns: toColumns(terminalDay, { status }) };
      const operations: Operation[] = [
        etag === undefined ? { kind: "insert", ...own } : { kind: "replace", ...own, etag },
      ];
      if (closing) {
        const rowKey = closingRow(terminalId, closing.closingId);
        operations.push({ kind: "insert", rowKey, columns: toColumns(closing) });
      }
      if (command)
        operations.push(
          committedCommand({ kind: "terminalDay", partnerId, terminalId, day }, command, { sequence, at }),
        );
      await rows.submit(terminalDayPartition(terminalDay), operations);
    },
  };
}

/** The business days of terminals, one partition for each partner and day. */
export type TerminalDays = ReturnType<typeof terminalDaysTable>;
