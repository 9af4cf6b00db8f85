import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { subjectRecord, type PartnerSubject } from "../ports/subjects.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedEventRow, feedPartition } from "./keys.ts";
import { feedMarkRow } from "./subject-rows.ts";
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

/** How far the events of one subject are in the feed. It is stored while the feed has one of them. */
export const feedMarkRecord = z.object({
  /** The sequence of the subject's newest event in the feed. No event of it up to this sequence is entered again. */
  sequence: z.int(),
  /** The number of that event. */
  number: z.int(),
});
export interface FeedMark extends RecordOf<typeof feedMarkRecord> {}
export interface StoredMark extends FeedMark {
  readonly etag: string;
}

export const feedEventRecord = z.object({
  number: z.int(),
  /** The body of its webhook, byte for byte. */
  body: z.string(),
  subject: subjectRecord,
  /** Its age is counted from this moment. */
  enteredAt: instant,
});
export interface FeedEvent extends RecordOf<typeof feedEventRecord> {}

/** The next events of one subject, in their order, with its mark as it was read. */
export interface SubjectEvents {
  readonly subject: PartnerSubject;
  readonly mark: StoredMark | undefined;
  readonly bodies: readonly string[];
  /** The sequence of the last event. */
  readonly sequence: number;
}

/** The most events and marks of one group, and the most characters of its bodies: less than what Table Storage takes. */
export const feedGroup = { rows: 98, characters: 1_000_000 } as const;

/**
 * A partner's feed is one partition: the head, the events by number, and the marks of their subjects. A group writes all three, so an event
 * is visible exactly when the head's `last` has reached its number.
 */
export function feedsTable(rows: Rows) {
  return {
    /** Undefined for a partner without events. */
    async head(partnerId: string): Promise<StoredHead | undefined> {
      const row = await rows.get(feedPartition(partnerId), FEED_HEAD_ROW);
      return row && { ...fromRow(row, feedHeadRecord), etag: row.etag };
    },
    async mark(subject: PartnerSubject): Promise<StoredMark | undefined> {
      const row = await rows.get(feedPartition(subject.partnerId), feedMarkRow(subject));
      return row && { ...fromRow(row, feedMarkRecord), etag: row.etag };
    },
    /**
     * Adds events at the end of the feed and moves the marks, all or nothing. Throws `Conflict` if the head or a mark changed since it was
     * read. `feedGroup` is the most that one call may add.
     */
    async enter(
      partnerId: string,
      head: StoredHead | undefined,
      entered: { readonly subjects: readonly SubjectEvents[]; readonly at: string },
    ): Promise<void> {
      const { subjects, at } = entered;
      const { first, last, gaps } = head ?? { first: 1, last: 0, gaps: [] };
      let number = last;
      const operations = subjects.flatMap(({ subject, mark, bodies, sequence }: SubjectEvents): Operation[] => [
        ...bodies.map((body) => inserted({ number: ++number, body, subject, enteredAt: at })),
        written(feedMarkRow(subject), { sequence, number }, mark),
      ]);
      await rows.submit(feedPartition(partnerId), [headOperation({ first, last: number, gaps }, head), ...operations]);
    },
    /** The events with a number above this one, in their order. There may be a gap before or between them. */
    async after(partnerId: string, number: number, atMost: number): Promise<FeedEvent[]> {
      const position = { prefix: FEED_EVENT_PREFIX, rowKey: feedEventRow(number) };
      const found = await rows.after(feedPartition(partnerId), position, atMost);
      return found.map((row) => fromRow(row, feedEventRecord));
    },
  };
}

/** The events of each partner in one order, as they were or will be sent as webhooks. Methods throw `Unavailable`. */
export type Feeds = ReturnType<typeof feedsTable>;

const inserted = (event: FeedEvent): Operation => ({
  kind: "insert",
  rowKey: feedEventRow(event.number),
  columns: toColumns(event),
});

/** The operation that writes the head, on the ETag that was read. */
export const headOperation = (head: FeedHead, read: StoredHead | undefined): Operation =>
  written(FEED_HEAD_ROW, head, read);

const written = (rowKey: string, record: object, read: { readonly etag: string } | undefined): Operation => {
  const columns = toColumns(record);
  return read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns };
};
