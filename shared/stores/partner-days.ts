import * as z from "zod";
import { type BookingTotal, bookingTotalRecord } from "../domain/booking.ts";
import type { RecordOf } from "../domain/record.ts";
import { day, instant, type Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import type { Operation, Rows } from "../ports/rows.ts";
import type { PartnerDayKey } from "../ports/subjects.ts";
import { committedCommand, type NewCommand } from "./commands.ts";
import {
  DAY_TERMINAL_PREFIX,
  dayTerminalRow,
  listedDayRow,
  OPEN_DAY_PREFIX,
  openDayRow,
  PARTNER_DAY_ROW,
  PARTNER_DAYS_PARTITION,
  partnerDayPartition,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";

/**
 * A day of a partner. `closing`: no terminal is entered any more, and the days of the entered ones are being closed. `closed`: its file
 * never changes.
 */
export const partnerDayRecord = z.object({
  state: z.enum(["open", "closing", "closed"]),
  /** When the closing began. Undefined while the day is open. */
  closedAt: instant.optional(),
  /** The totals of all its terminals, once it is closed. Earlier versions have closed days without them. */
  totals: z.array(bookingTotalRecord).optional(),
  /** How often it was closed. A restore closes the days of its last day again. */
  sequence: z.int().optional(),
});
export interface PartnerDay extends RecordOf<typeof partnerDayRecord> {}
export interface StoredPartnerDay extends PartnerDay {
  readonly etag: string;
}

/** A day as its closing ends it. */
export interface ClosedDay {
  readonly closedAt: Instant;
  readonly totals: readonly BookingTotal[];
  readonly sequence: number;
}

/** A terminal with bookings under a partner's day. */
export const dayTerminalRecord = z.object({
  terminalId: z.string(),
  /** The terminal's merchant. Earlier versions entered terminals without it. */
  merchantId: z.string().optional(),
  /** The totals of the terminal's file, once the closing of the day has closed it. */
  totals: z.array(bookingTotalRecord).optional(),
});
export interface DayTerminal extends RecordOf<typeof dayTerminalRecord> {}

/** The name of a partner's day in the lists of such days. */
export const listedDayRecord = z.object({ partnerId: z.string(), day });

/** The most rows of one group. */
const GROUP = 100;

/** The days of partners in the table `Days`, one partition for each. */
export const partnerDaysTable = (rows: Rows) => ({ ...days(rows), ...terminals(rows), ...lists(rows) });

const partitionOf = ({ partnerId, day }: PartnerDayKey): string => partnerDayPartition(partnerId, day);

const days = (rows: Rows) => ({
  async find(key: PartnerDayKey): Promise<StoredPartnerDay | undefined> {
    const row = await rows.get(partitionOf(key), PARTNER_DAY_ROW);
    return row && { ...fromRow(row, partnerDayRecord), etag: row.etag };
  },
  /** Writes the first row of the day. It is listed first. Throws `Conflict` if the day has a row. */
  async open(key: PartnerDayKey): Promise<void> {
    await lists(rows).enlist(key);
    const opened: PartnerDay = { state: "open" };
    await rows.submit(partitionOf(key), [{ kind: "insert", rowKey: PARTNER_DAY_ROW, columns: toColumns(opened) }]);
  },
  /** Begins the closing of the day. Throws `Conflict` if the day changed since it was read. */
  async beginClosing(
    key: PartnerDayKey,
    closedAt: Instant,
    { etag, ...read }: StoredPartnerDay,
  ): Promise<StoredPartnerDay> {
    const next = { ...read, state: "closing", closedAt } as const;
    const [written = ""] = await rows.submit(partitionOf(key), [replaced(next, etag)]);
    return { ...next, etag: written };
  },
  /** Closes the day with the command of its event. Throws `Conflict` if the day changed since it was read, or the command was aborted. */
  async close(
    key: PartnerDayKey,
    closed: ClosedDay,
    { read: { etag }, command }: { readonly read: StoredPartnerDay; readonly command: NewCommand },
  ): Promise<void> {
    const { sequence, closedAt: at, totals } = closed;
    const more = committedCommand({ kind: "partnerDay", ...key }, command, { sequence, at });
    await rows.submit(partitionOf(key), [replaced({ ...closed, totals: [...totals], state: "closed" }, etag), ...more]);
  },
});

const terminals = (rows: Rows) => ({
  /** The terminals that are entered, in the order of their keys; of these terminals only, if they are given. */
  async terminals(key: PartnerDayKey, only?: readonly string[]): Promise<DayTerminal[]> {
    const partition = partitionOf(key);
    const found = only
      ? await Promise.all(
          only
            .map(dayTerminalRow)
            .toSorted()
            .map((rowKey) => rows.get(partition, rowKey)),
        )
      : await rows.withPrefix(partition, DAY_TERMINAL_PREFIX);
    return found.filter((row) => row !== undefined).map((row) => fromRow(row, dayTerminalRecord));
  },
  /** Enters a terminal, unless it is entered. Its totals stay. */
  async enter(key: PartnerDayKey, terminal: Omit<DayTerminal, "totals">): Promise<void> {
    try {
      await rows.submit(partitionOf(key), [{ kind: "insert", ...terminalRow(terminal) }]);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  },
  /** Writes the totals of terminals. Their files are closed, so every writer has the same totals. */
  async saveTotals(key: PartnerDayKey, terminals: readonly DayTerminal[]): Promise<void> {
    for (let i = 0; i < terminals.length; i += GROUP) {
      const some = terminals.slice(i, i + GROUP);
      await rows.submit(
        partitionOf(key),
        some.map((terminal) => ({ kind: "overwrite", ...terminalRow(terminal) })),
      );
    }
  },
});

const lists = (rows: Rows) => ({
  /** Lists a day that is not closed, so that purges and repairs find it. */
  async enlist({ partnerId, day }: PartnerDayKey): Promise<void> {
    const columns = toColumns({ partnerId, day });
    const keys = [listedDayRow({ partnerId, day }), openDayRow({ partnerId, day })];
    await rows.submit(
      PARTNER_DAYS_PARTITION,
      keys.map((rowKey) => ({ kind: "overwrite", rowKey, columns })),
    );
  },
  /** The days that are not closed, or whose closing has effects that are not carried out. Some may have no row. The oldest comes first. */
  async openDays(): Promise<PartnerDayKey[]> {
    const found = await rows.withPrefix(PARTNER_DAYS_PARTITION, OPEN_DAY_PREFIX);
    return found.map((row) => fromRow(row, listedDayRecord));
  },
  /** Removes the day from the list of open days, if it is there. */
  async leaveOpen(key: PartnerDayKey): Promise<void> {
    const row = await rows.get(PARTNER_DAYS_PARTITION, openDayRow(key));
    if (row) await rows.remove(PARTNER_DAYS_PARTITION, row.rowKey, row.etag);
  },
});

const terminalRow = (terminal: DayTerminal) => ({
  rowKey: dayTerminalRow(terminal.terminalId),
  columns: toColumns(terminal),
});

const replaced = (next: PartnerDay, etag: string): Operation => ({
  kind: "replace",
  rowKey: PARTNER_DAY_ROW,
  columns: toColumns(next),
  etag,
});

/**
 * The days of each partner. A terminal is entered before its first booking of a day, and the closing of the day closes it at each entered
 * terminal. Methods throw `Unavailable`.
 */
export type PartnerDays = ReturnType<typeof partnerDaysTable>;
