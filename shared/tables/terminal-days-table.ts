import { closingRecord, terminalDayRecord } from "../domain/terminal-day/terminal-day.ts";
import type { TerminalDays } from "../ports/terminal-days.ts";
import { committedCommand } from "./commands-table.ts";
import { closingRow, TERMINAL_DAY_PREFIX, terminalDayPartition, terminalDayRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "./rows.ts";

/** The business days of terminals in the table `TerminalDays`. */
export function terminalDaysTable(rows: Rows): TerminalDays {
  return {
    async find(key) {
      const row = await rows.get(terminalDayPartition(key), terminalDayRow(key.terminalId));
      return row && { terminalDay: fromRow(row, terminalDayRecord), etag: row.etag };
    },
    async ofDay(partnerId, day) {
      const found = await rows.withPrefix(terminalDayPartition({ partnerId, day }), TERMINAL_DAY_PREFIX);
      return found.map((row) => fromRow(row, terminalDayRecord));
    },
    async findClosing(key, closingId) {
      const row = await rows.get(terminalDayPartition(key), closingRow(key.terminalId, closingId));
      return row && fromRow(row, closingRecord);
    },
    async commit({ terminalDay, etag, closing, command }) {
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
