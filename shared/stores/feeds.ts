import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { subjectRecord, type Subject } from "../ports/subjects.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedEventRow, feedMarkRow, feedPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

/**
 * The beginning and the end of a partner's feed. Every group of events replaces it on its ETag. So the numbers have the order in which the
 * groups were committed, without a gap.
 */
export const feedHeadRecord = z.object({
  /** The number of the oldest event that is kept. It is `last + 1` if there is none. */
  first: z.int(),
  /** The number of the newest event. The first event of a feed has 1. */
  last: z.int(),
  /** Numbers that no event has, from `after + 1` to `to`. A restored feed skips the numbers that it may have used since its export. */
  gaps: z.array(z.object({ after: z.int(), to: z.int() })),
});
export interface FeedHead extends RecordOf<typeof feedHeadRecord> {}
export interface StoredHead extends FeedHead {
  readonly etag: string;
}

export const feedEventRecord = z.object({
  number: z.int(),
  /** Its body, byte for byte: also that of its webhook. */
  body: z.string(),
  subject: subjectRecord,
  /** The command whose event it is. */
  commandId: z.string(),
  /** Its age is counted from this moment. */
  enteredAt: instant,
});
export interface FeedEvent extends RecordOf<typeof feedEventRecord> {}

/** The events of one command, in their order. */
export interface ChangeEvents {
  readonly commandId: string;
  readonly subject: Subject;
  readonly bodies: readonly string[];
}

/** The most events and marks of one group, and the most characters of its bodies: less than what Table Storage takes. */
export const feedGroup = { rows: 98, characters: 1_000_000 } as const;

/**
 * A partner's feed is one partition: the head, the events by number, and the marks of their commands. A group writes all three, so an event
 * is visible exactly when the head's `last` has reached its number.
 */
export function feedsTable(rows: Rows) {
  return {
    /** Undefined for a partner without events. */
    async head(partnerId: string): Promise<StoredHead | undefined> {
      const row = await rows.get(feedPartition(partnerId), FEED_HEAD_ROW);
      return row && { ...fromRow(row, feedHeadRecord), etag: row.etag };
    },
    /** Whether the command's events are in the feed, and the last of them is not purged. */
    async isMarked(partnerId: string, commandId: string): Promise<boolean> {
      return (await rows.get(feedPartition(partnerId), feedMarkRow(commandId))) !== undefined;
    },
    /**
     * Adds events at the end of the feed with their marks, all or nothing. Returns the new head. Throws `Conflict` if the head changed
     * since it was read, or if the feed has events of one of the commands. One call may add at most `feedGroup`.
     */
    async enter(
      partnerId: string,
      read: StoredHead | undefined,
      entered: { readonly changes: readonly ChangeEvents[]; readonly at: string },
    ): Promise<StoredHead> {
      const { changes, at } = entered;
      const { first, last, gaps } = read ?? { first: 1, last: 0, gaps: [] };
      let number = last;
      const operations = changes.flatMap(({ commandId, subject, bodies }): Operation[] => [
        ...bodies.map((body) => inserted({ number: ++number, body, subject, commandId, enteredAt: at })),
        { kind: "insert", rowKey: feedMarkRow(commandId), columns: feedMarkColumns },
      ]);
      const head = { first, last: number, gaps };
      const [etag] = await rows.submit(feedPartition(partnerId), [headOperation(head, read), ...operations]);
      if (etag === undefined) throw new Error("a written head has no ETag");
      return { ...head, etag };
    },
    /** The events with a number above this one, in their order. There may be a gap before or between them. */
    async after(partnerId: string, number: number, atMost: number): Promise<FeedEvent[]> {
      const position = { prefix: FEED_EVENT_PREFIX, rowKey: feedEventRow(number) };
      const found = await rows.after(feedPartition(partnerId), position, atMost);
      return found.map((row) => fromRow(row, feedEventRecord));
    },
  };
}

/** The events of each partner in one order. Methods throw `Unavailable`. */
export type Feeds = ReturnType<typeof feedsTable>;

const inserted = (event: FeedEvent): Operation => ({
  kind: "insert",
  rowKey: feedEventRow(event.number),
  columns: toColumns(event),
});

/** The row of a mark exists or not. It says nothing more. */
export const feedMarkColumns = toColumns({});

/** The operation that writes the head, on the ETag that was read. */
export const headOperation = (head: FeedHead, read: StoredHead | undefined): Operation => {
  const [rowKey, columns] = [FEED_HEAD_ROW, toColumns(head)];
  return read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns };
};
