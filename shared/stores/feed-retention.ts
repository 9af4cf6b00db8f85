import * as z from "zod";
import { feedEventRecord, feedHeadRecord, type FeedEvent, type FeedHead, headOperation } from "./feeds.ts";
import type { Instant } from "../domain/time.ts";
import type { Retention } from "./retention.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedEventRow, feedMarkRow, feedPartition } from "./keys.ts";
import { fromRow } from "./record.ts";
import { removeRows } from "./remove-rows.ts";
import { locate, type SubjectTables, webhookPrefix } from "./subject-rows.ts";
import type { Operation, Rows } from "../ports/rows.ts";

/** A group holds the head, at most this many events, and at most one mark for each of them. */
const EVENTS_OF_GROUP = 49;
const EVENTS_OF_PAGE = 1_000;

/** Removes the oldest events from their feeds permanently, each with the attempts to deliver it. */
export function feedRetention(
  tables: SubjectTables & { readonly feeds: Rows },
): Pick<Retention, "countEvents" | "removeEvents"> {
  const { feeds: rows } = tables;
  /** The events after this number that were entered before this moment, up to the first that was not. */
  const oldAfter = async (partition: string, number: number, atMost: number, before: Instant): Promise<FeedEvent[]> => {
    const position = { prefix: FEED_EVENT_PREFIX, rowKey: feedEventRow(number) };
    const found = (await rows.after(partition, position, atMost)).map((row) => fromRow(row, feedEventRecord));
    const end = found.findIndex(({ enteredAt }) => enteredAt >= before);
    return end === -1 ? found : found.slice(0, end);
  };
  return {
    async countEvents(partnerId, before) {
      let count = 0;
      for (let number = 0; ;) {
        const old = await oldAfter(feedPartition(partnerId), number, EVENTS_OF_PAGE, before);
        count += old.length;
        const last = old.at(-1);
        if (!last || old.length < EVENTS_OF_PAGE) return count;
        number = last.number;
      }
    },
    async removeEvents(partnerId, before) {
      const partition = feedPartition(partnerId);
      const found = await oldAfter(partition, 0, EVENTS_OF_GROUP + 1, before);
      const [old, next] = [found.slice(0, EVENTS_OF_GROUP), found[EVENTS_OF_GROUP]];
      const last = old.at(-1);
      if (!last) return { events: 0, rows: 0 };
      const commands = new Set(old.map(({ commandId }) => commandId));
      if (next) commands.delete(next.commandId); // its mark leaves with its last event
      const attempts = await Promise.all(old.map((event) => removeAttempts(tables, event))); // before their events, which name them
      const row = await rows.get(partition, FEED_HEAD_ROW); // after the others, so that few events are entered meanwhile
      if (!row) throw new Error(`the feed of partner ${partnerId} has events and no head`);
      const head = fromRow(row, feedHeadRecord);
      await rows.submit(partition, [
        headOperation(beginningAfter(last.number, head), { ...head, etag: row.etag }),
        ...[...old.map(({ number }) => feedEventRow(number)), ...[...commands].map(feedMarkRow)].map(
          (rowKey): Operation => ({ kind: "discard", rowKey }),
        ),
      ]);
      const ofEvents = old.length + commands.size;
      return { events: old.length, rows: attempts.reduce((sum, count) => sum + count, ofEvents) };
    },
  };
}

/** Removes the attempts to deliver the event. Returns their number. */
async function removeAttempts(tables: SubjectTables, { subject, body }: FeedEvent): Promise<number> {
  const [rows, partition] = locate(tables, subject);
  const { id } = eventRecord.parse(JSON.parse(body));
  return removeRows(rows, partition, await rows.withPrefix(partition, webhookPrefix(subject, id)));
}
const eventRecord = z.object({ id: z.string() });

/** The head after the events up to this number were removed. A later gap stays, for the readers that have read everything before it. */
const beginningAfter = (number: number, { last, gaps }: FeedHead): FeedHead => ({
  first: number + 1,
  last,
  gaps: gaps.filter(({ to }) => to > number),
});
