import {
  feedEventRecord,
  feedHeadRecord,
  feedMarkRecord,
  type FeedEvent,
  type FeedHead,
  type Feeds,
  type StoredHead,
  type SubjectEvents,
} from "../ports/feeds.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedEventRow, feedMarkRow, feedPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "./rows.ts";

/**
 * A partner's feed is one partition: the head, the events by number, and the marks of their subjects. A group writes all three, so an event
 * is visible exactly when its number is below the head's.
 */
export function feedsTable(rows: Rows): Feeds {
  return {
    async head(partnerId) {
      const row = await rows.get(feedPartition(partnerId), FEED_HEAD_ROW);
      return row && { ...fromRow(row, feedHeadRecord), etag: row.etag };
    },
    async mark(subject) {
      const row = await rows.get(feedPartition(subject.partnerId), feedMarkRow(subject));
      return row && { ...fromRow(row, feedMarkRecord), etag: row.etag };
    },
    async enter(partnerId, head, { subjects, at }) {
      const { first, last, gaps } = head ?? { first: 1, last: 0, gaps: [] };
      let number = last;
      const operations = subjects.flatMap(({ subject, mark, bodies, sequence }: SubjectEvents): Operation[] => [
        ...bodies.map((body) => inserted({ number: ++number, body, subject, enteredAt: at })),
        written(feedMarkRow(subject), { sequence, number }, mark),
      ]);
      await rows.submit(feedPartition(partnerId), [headOperation({ first, last: number, gaps }, head), ...operations]);
    },
    async after(partnerId, number, atMost) {
      const position = { prefix: FEED_EVENT_PREFIX, rowKey: feedEventRow(number) };
      const found = await rows.after(feedPartition(partnerId), position, atMost);
      return found.map((row) => fromRow(row, feedEventRecord));
    },
  };
}

const inserted = (event: FeedEvent): Operation => ({
  kind: "insert",
  rowKey: feedEventRow(event.number),
  columns: toColumns(event),
});

/** The operation that writes the head, on the ETag of the one that was read. */
export const headOperation = (head: FeedHead, read: StoredHead | undefined): Operation =>
  written(FEED_HEAD_ROW, head, read);

const written = (rowKey: string, record: object, read: { readonly etag: string } | undefined): Operation => {
  const columns = toColumns(record);
  return read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns };
};
