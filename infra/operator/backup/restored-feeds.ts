import type { EventEnvelope } from "../../../shared/contracts/events/events.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import {
  feedEventRecord,
  feedHeadRecord,
  type FeedEvent,
  type FeedHead,
  headOperation,
} from "../../../shared/stores/feeds.ts";
import type { Partners } from "../../../shared/stores/partners.ts";
import type { PartnerSubject } from "../../../shared/ports/subjects.ts";
import { FEED_EVENT_PREFIX, FEED_HEAD_ROW, feedPartition } from "../../../shared/stores/keys.ts";
import { feedMarkRow } from "../../../shared/stores/subject-rows.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { TablePorts, WholeTables } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import type { PlainRow } from "./exported-row.ts";
import type { Slice } from "./manifest.ts";
import { withoutEtag } from "./read-payment.ts";

/** The numbers that a feed leaves out at least: more than it may have given between the export and the restore. */
const LOST_NUMBERS = 1_000_000;

/** A feed as far as the import has come through its events. */
interface FeedPlan {
  /** As the export has them: `last` is at least the number of the last event that was read. */
  readonly first: number;
  readonly last: number;
  /** The number of the last event so far, and the numbers before it that no event has. */
  after: number;
  readonly gaps: FeedHead["gaps"][number][];
  /** The newest event of each subject so far; `sequence` is that of its change. */
  readonly newest: Map<string, Pick<FeedEvent, "number" | "subject"> & { readonly sequence: number }>;
}

/** The feeds of an export, by their partitions. */
export type FeedsPlan = Map<string, FeedPlan>;

/** Adds a feed to the plan by its head. It is added before the feed's events are read, which stand before it in the file. */
export function planFeed(plan: FeedsPlan, row: PlainRow): void {
  if (row.rowKey !== FEED_HEAD_ROW) return;
  const { first, last } = fromRow(withoutEtag(row), feedHeadRecord);
  plan.set(row.partitionKey, { first, last, after: first - 1, gaps: [], newest: new Map() });
}

function planOf(plan: FeedsPlan, partitionKey: string): FeedPlan {
  const known = plan.get(partitionKey) ?? { first: 1, last: 0, after: 0, gaps: [], newest: new Map() };
  plan.set(partitionKey, known);
  return known;
}

/**
 * The rows of a slice of a feed, with the last one its marks, and without its head, which is written last. The rows of a partition are not of
 * one moment. So its marks follow from its events, and a number that is missing among them is one that no event has: a command whose event is
 * missing is not carried out in the export, as that was read before, and enters it again. A mark is no further than its subject in the export:
 * changes that come after that are other ones than those that were lost, and have events of their own.
 */
export async function feedRows(
  { rows, isLast }: Slice<PlainRow>,
  plan: FeedsPlan,
  ports: Pick<TablePorts, "payments" | "actionRequests" | "terminalDays">,
): Promise<readonly PlainRow[]> {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const feed = planOf(plan, partitionKey);
  const found = rows
    .filter(({ rowKey }) => rowKey.startsWith(FEED_EVENT_PREFIX))
    .map((row) => ({ row, event: fromRow(withoutEtag(row), feedEventRecord) }))
    .filter(({ event }) => event.number >= feed.first); // a purge may remove the others while they are exported
  for (const { event } of found) addEvent(feed, event);
  const marks = isLast ? await marksOf(feed, partitionKey, ports) : [];
  return [...found.map(({ row }) => row), ...marks.filter((mark) => mark !== undefined)];
}

function addEvent(feed: FeedPlan, { number, subject, body }: FeedEvent): void {
  if (number > feed.after + 1) feed.gaps.push({ after: feed.after, to: number - 1 });
  feed.after = number;
  const { sequence } = JSON.parse(body) as EventEnvelope<unknown>;
  feed.newest.set(JSON.stringify(subject), { number, subject, sequence });
}

const marksOf = (
  { newest }: FeedPlan,
  partitionKey: string,
  ports: Pick<TablePorts, "payments" | "actionRequests" | "terminalDays">,
): Promise<readonly (PlainRow | undefined)[]> =>
  eachOf([...newest.values()], async ({ number, subject, sequence: entered }): Promise<PlainRow | undefined> => {
    const inExport = await sequenceOf(ports, subject);
    const sequence = Math.min(entered, inExport ?? 0);
    const rowKey = feedMarkRow(subject as PartnerSubject);
    return sequence > 0 ? { partitionKey, rowKey, columns: toColumns({ sequence, number }) } : undefined;
  });

/** The head for the events, up to the greatest number that the export knows of. */
function headOf({ first, last, after, gaps }: FeedPlan): FeedHead {
  const end = Math.max(after, last);
  return { first, last: end, gaps: end > after ? [...gaps, { after, to: end }] : gaps };
}

/** The sequence of a subject in the export; undefined where the export does not have it. */
async function sequenceOf(
  { payments, actionRequests, terminalDays }: Pick<TablePorts, "payments" | "actionRequests" | "terminalDays">,
  subject: FeedEvent["subject"],
): Promise<number | undefined> {
  switch (subject.kind) {
    case "payment":
      return (await payments.find(subject))?.payment.sequence;
    case "actionRequest":
      return (await actionRequests.find(subject))?.action.sequence;
    case "terminalDay":
      return (await terminalDays.find(subject))?.terminalDay.sequence;
    case "tokenRequest":
      return undefined;
  }
}

/**
 * Writes the head of each feed, also of a partner whose feed was empty when it was exported: its readers may have read events since. The
 * next number is greater than any that was given before, after this export or after an earlier restore of it: a feed gives fewer numbers
 * than there are milliseconds. Readers that stand anywhere up to it go on with the next event. It may run again.
 */
export async function completeFeeds(
  { feeds }: Pick<WholeTables, "feeds">,
  plan: FeedsPlan,
  partners: Pick<Partners, "list">,
  now: Instant,
): Promise<void> {
  const partitions = new Set([...plan.keys(), ...(await partners.list()).map(feedPartition)]);
  await eachOf([...partitions], async (partition) => {
    if (await feeds.get(partition, FEED_HEAD_ROW)) return;
    const exported = headOf(planOf(plan, partition));
    const last = Math.max(exported.last + LOST_NUMBERS, Date.parse(now));
    await feeds.submit(partition, [headOperation(goingOn(exported, last), undefined)]);
  });
}

/** The head with a gap up to this number. A gap at the end of the exported numbers becomes longer. */
function goingOn({ first, last, gaps }: FeedHead, to: number): FeedHead {
  const atEnd = gaps.find((gap) => gap.to === last);
  const others = gaps.filter((gap) => gap !== atEnd);
  return { first, last: to, gaps: [...others, { after: atEnd?.after ?? last, to }] };
}
