import type { EventEnvelope } from "../../../shared/contracts/events/events.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import {
  feedEventRecord,
  feedHeadRecord,
  feedMarkColumns,
  type FeedHead,
  headOperation,
} from "../../../shared/stores/feeds.ts";
import type { Partners } from "../../../shared/stores/partners.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedMarkRow, feedPartition } from "../../../shared/stores/keys.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import type { PlainRow } from "./exported-row.ts";
import { isRecent } from "./last-day.ts";
import { withoutEtag } from "./read-payment.ts";

/** The least number of event numbers that a feed skips. It is more than the feed may have used between the export and the restore. */
const LOST_NUMBERS = 1_000_000;

/** The progress of the import through the events of a feed. */
interface FeedPlan {
  /** As exported. `last` is at least the number of the last exported event. */
  readonly first: number;
  readonly last: number;
  /** The number of the last event so far, and the earlier numbers without an event. */
  after: number;
  readonly gaps: FeedHead["gaps"][number][];
}

/** The feeds of an export. */
export interface FeedsPlan {
  /** By partition. */
  readonly heads: Map<string, FeedPlan>;
  /** The identifiers of the events of the export's last day. */
  readonly events: Set<string>;
}

/** Reads the heads, and the events of the last day. In the file a feed's events come before its head, so they must be read once more. */
export async function planFeeds(rows: AsyncIterable<PlainRow>, begunAt: Instant): Promise<FeedsPlan> {
  const plan: FeedsPlan = { heads: new Map(), events: new Set() };
  for await (const row of rows) {
    if (row.rowKey === FEED_HEAD_ROW) {
      const { first, last } = fromRow(withoutEtag(row), feedHeadRecord);
      plan.heads.set(row.partitionKey, { first, last, after: first - 1, gaps: [] });
    } else if (row.rowKey.startsWith(FEED_EVENT_PREFIX)) {
      const { enteredAt, body } = fromRow(withoutEtag(row), feedEventRecord);
      if (isRecent(enteredAt, begunAt)) plan.events.add((JSON.parse(body) as EventEnvelope<unknown>).id);
    }
  }
  return plan;
}

function planOf({ heads }: FeedsPlan, partitionKey: string): FeedPlan {
  const known = heads.get(partitionKey) ?? { first: 1, last: 0, after: 0, gaps: [] };
  heads.set(partitionKey, known);
  return known;
}

/**
 * A part of the rows of a feed, with the marks of its events' commands. The head is written last, so it is left out here.
 * The rows of a partition are not of one moment, so the marks are derived from the events. A missing number belongs to no event. The
 * command of a missing event is not carried out in the export, which read it earlier, so it enters the event again. The command of a lost
 * change never comes back: the change that replaces it has another one, and its own events.
 */
export function feedRows(rows: readonly PlainRow[], plan: FeedsPlan): readonly PlainRow[] {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const feed = planOf(plan, partitionKey);
  const found = rows
    .filter(({ rowKey }) => rowKey.startsWith(FEED_EVENT_PREFIX))
    .map((row) => ({ row, event: fromRow(withoutEtag(row), feedEventRecord) }))
    .filter(({ event }) => event.number >= feed.first); // a purge may remove the others during the export
  for (const { event } of found) addNumber(feed, event.number);
  const commands = new Set(found.map(({ event }) => event.commandId));
  const marks = [...commands].map((id) => ({ partitionKey, rowKey: feedMarkRow(id), columns: feedMarkColumns }));
  return [...found.map(({ row }) => row), ...marks];
}

function addNumber(feed: FeedPlan, number: number): void {
  if (number > feed.after + 1) feed.gaps.push({ after: feed.after, to: number - 1 });
  feed.after = number;
}

/** The head for the events, up to the greatest number in the export. */
function headOf({ first, last, after, gaps }: FeedPlan): FeedHead {
  const end = Math.max(after, last);
  return { first, last: end, gaps: end > after ? [...gaps, { after, to: end }] : gaps };
}

/**
 * Writes the head of each feed. A partner whose feed was empty when it was exported gets one too, because its readers may have read events
 * since.
 * The next number is greater than any number before it, after this export or an earlier restore of it. The current time in milliseconds
 * ensures this, because a feed uses fewer numbers than there are milliseconds. A reader at any earlier position continues with the next
 * event. It may run again.
 */
export async function completeFeeds(
  { feeds }: Pick<WholeTables, "feeds">,
  plan: FeedsPlan,
  partners: Pick<Partners, "list">,
  now: Instant,
): Promise<void> {
  const partitions = new Set([...plan.heads.keys(), ...(await partners.list()).map(feedPartition)]);
  await eachOf([...partitions], async (partition) => {
    if (await feeds.get(partition, FEED_HEAD_ROW)) return;
    const exported = headOf(planOf(plan, partition));
    const last = Math.max(exported.last + LOST_NUMBERS, Date.parse(now));
    await feeds.submit(partition, [headOperation(goingOn(exported, last), undefined)]);
  });
}

/** The head with a gap up to this number. A gap at the end of the exported numbers is extended. */
function goingOn({ first, last, gaps }: FeedHead, to: number): FeedHead {
  const atEnd = gaps.find((gap) => gap.to === last);
  const others = gaps.filter((gap) => gap !== atEnd);
  return { first, last: to, gaps: [...others, { after: atEnd?.after ?? last, to }] };
}
