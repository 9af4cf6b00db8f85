import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { day, type Day, instant, type Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import type { Operation, Rows } from "../ports/rows.ts";
import {
  DAY_TERMINAL_PREFIX,
  dayTerminalRow,
  listedDayRow,
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
});
export interface PartnerDay extends RecordOf<typeof partnerDayRecord> {}
export interface StoredPartnerDay extends PartnerDay {
  readonly etag: string;
}

/** A terminal with bookings under a partner's day. */
export const dayTerminalRecord = z.object({ terminalId: z.string() });

/** The name of a partner's day in the list of all such days. */
export const listedDayRecord = z.object({ partnerId: z.string(), day });

/** The days of partners in the table `Days`, one partition for each. */
export function partnerDaysTable(rows: Rows) {
  async function find(partnerId: string, day: Day): Promise<StoredPartnerDay | undefined> {
    const row = await rows.get(partnerDayPartition(partnerId, day), PARTNER_DAY_ROW);
    return row && { ...fromRow(row, partnerDayRecord), etag: row.etag };
  }
  /** Writes the day's row. A new day is listed first, so that a purge finds it. */
  async function save(partnerId: string, day: Day, next: PartnerDay, read: StoredPartnerDay | undefined) {
    if (!read) await enlist(rows, partnerId, day);
    const own = { rowKey: PARTNER_DAY_ROW, columns: toColumns(next) };
    const written: Operation = read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own };
    await rows.submit(partnerDayPartition(partnerId, day), [written]);
  }
  return {
    find,
    /** The terminals that are entered, in the order of their keys. */
    async terminals(partnerId: string, day: Day): Promise<string[]> {
      const found = await rows.withPrefix(partnerDayPartition(partnerId, day), DAY_TERMINAL_PREFIX);
      return found.map((row) => fromRow(row, dayTerminalRecord).terminalId);
    },
    /**
     * Enters a terminal in the day before its first booking. False if the day is closed or being closed. The entry is written before the day
     * is read. So a closing that begins later finds it, and terminals that begin a day at the same moment do not wait for each other.
     */
    async enter(partnerId: string, day: Day, terminalId: string): Promise<boolean> {
      const rowKey = dayTerminalRow(terminalId);
      await rows.submit(partnerDayPartition(partnerId, day), [
        { kind: "overwrite", rowKey, columns: toColumns({ terminalId }) },
      ]);
      const read = await find(partnerId, day);
      if (read) return read.state === "open";
      try {
        await save(partnerId, day, { state: "open" }, undefined);
        return true;
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
        return (await find(partnerId, day))?.state === "open";
      }
    },
    /** Begins the closing of the day, or ends it. Throws `Conflict` if the day changed since it was read. */
    async close(
      partnerId: string,
      day: Day,
      next: { readonly state: "closing" | "closed"; readonly closedAt: Instant },
      read: StoredPartnerDay | undefined,
    ): Promise<void> {
      await save(partnerId, day, next, read);
    },
  };
}

/**
 * The days of each partner. A terminal is entered before its first booking of a day, and the closing of the day closes it at each entered
 * terminal. Methods throw `Unavailable`.
 */
export type PartnerDays = ReturnType<typeof partnerDaysTable>;

async function enlist(rows: Rows, partnerId: string, day: Day): Promise<void> {
  const listed = { rowKey: listedDayRow(partnerId, day), columns: toColumns({ partnerId, day }) };
  try {
    await rows.submit(PARTNER_DAYS_PARTITION, [{ kind: "insert", ...listed }]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
