import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isEvent } from "../../../shared/domain/effects.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import type { FeedEvent, FeedHead } from "../../../shared/stores/feeds.ts";
import { eventBody } from "../../../shared/use-cases/feed/event-body.ts";
import { webhookUrlOf, type Cast } from "../actors/cast.ts";
import type { FeedReader } from "../actors/feed-readers.ts";
import type { Plan } from "../actors/plan.ts";
import type { Platform } from "../platform/platform.ts";
import { wholeFeed } from "../platform/whole-feed.ts";
import { FAULTS_END, MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";
import { checkRebuilt } from "./rebuilt.ts";
import { commandsOf, otherCommands, type Session } from "./snapshot.ts";

const content = z.object({ sequence: z.int(), data: z.object({ pointOfServiceID: z.string().optional() }) });

interface Ended {
  readonly partnerIds: readonly string[];
  readonly sessions: readonly Session[];
  readonly commands: Session["commands"];
  readonly readers: readonly FeedReader[];
}

/** One partner's feed at the end. */
interface Feed {
  readonly partnerId: string;
  readonly head: FeedHead;
  readonly events: readonly FeedEvent[];
  /** The events at the restore; undefined in a world without one. */
  readonly before: readonly FeedEvent[] | undefined;
  /** The bodies of the events of the partner's committed commands. */
  readonly due: readonly string[];
}

/**
 * Each partner's feed has the events of its committed commands. Each is there once, with numbers without a gap.
 * The events of one subject are in the order of their changes. A reader that follows `next` has read exactly that. A restored feed keeps
 * its exported events, and never reuses a number. Only its events of lost commands and its one gap are excused.
 */
export async function checkFeeds(
  world: World,
  platform: Platform,
  { partnerIds, sessions, commands, readers }: Ended,
): Promise<void> {
  for (const partnerId of partnerIds) {
    const head = (await platform.ports.feeds.head(partnerId)) ?? { first: 1, last: 0, gaps: [] };
    const events = await wholeFeed(platform.ports, partnerId);
    const before = world.lostTime.restoredAt === undefined ? undefined : (world.lostTime.feeds.get(partnerId) ?? []);
    const feed: Feed = { partnerId, head, events, before, due: dueOf(commands, partnerId) };
    checkNumbers(world, feed);
    checkContent(world, feed);
    checkOrder(world, feed);
    checkPayments(world, feed, sessions);
    checkReceived(world, feed, platform);
    for (const reader of readers) if (reader.partnerId === partnerId) await checkReader(world, feed, reader);
  }
}

const bodiesOf = (command: Session["commands"][number]): string[] =>
  command.state === "ready" ? command.effects.filter(isEvent).map((effect) => eventBody(command, effect)) : [];

const dueOf = (commands: Session["commands"], partnerId: string): string[] =>
  commands
    .filter(({ subject }) => "partnerId" in subject && subject.partnerId === partnerId)
    .flatMap((command) => bodiesOf(command));

/** The numbers are consecutive from 1 on. The only gap is in a restored feed: it skips at least all numbers that it had assigned. */
function checkNumbers(world: World, { partnerId, head, events, before }: Feed): void {
  const [gap, ...more] = head.gaps;
  if ((before === undefined && gap) || more.length > 0)
    world.violate("a feed leaves out numbers without a restore", `${partnerId} ${JSON.stringify(head.gaps)}`);
  let number = 0;
  for (const event of events) {
    number = number === gap?.after ? gap.to + 1 : number + 1;
    if (event.number !== number) world.violate("a feed with a gap", `${partnerId} ${number}: ${event.number}`);
    number = event.number;
  }
  if (head.first !== 1 || (head.last !== number && head.last !== gap?.to))
    world.violate("a feed's head differs from its events", `${partnerId} ${JSON.stringify(head)}: ${number}`);
  const given = before?.at(-1)?.number ?? 0;
  if (before && given > 0 && (gap?.to ?? 0) < given)
    world.violate("a restored feed gives numbers again", `${partnerId} ${given}`);
}

/** Whether a restored feed has the event unchanged, and its command is lost. */
const isLost = ({ head, before = [], due }: Feed, { number, body }: FeedEvent): boolean =>
  number <= (head.gaps[0]?.after ?? 0) &&
  before.some((event) => event.number === number && event.body === body) &&
  !due.includes(body);

function checkContent(world: World, feed: Feed): void {
  const times = Map.groupBy(feed.events, ({ body }) => body);
  for (const body of feed.due) {
    const count = times.get(body)?.length ?? 0;
    if (count === 0) world.violate("an event is missing in the feed", body.slice(0, 80));
    if (count > 1) world.violate("an event is in the feed twice", body.slice(0, 80));
  }
  for (const event of feed.events)
    if (!feed.due.includes(event.body) && !isLost(feed, event))
      world.violate("an event in the feed that is of no commit", event.body.slice(0, 80));
  for (const { number, body } of feed.before ?? []) {
    const kept = feed.events.find((event) => event.number === number);
    if (kept && kept.body !== body) world.violate("a restored feed changes an event", `${number} ${body.slice(0, 80)}`);
  }
}

function checkOrder(world: World, feed: Feed): void {
  const kept = feed.events.filter((event) => !isLost(feed, event));
  for (const [subject, events] of Map.groupBy(kept, (event) => JSON.stringify(event.subject))) {
    const sequences = events.map(({ body }) => content.parse(JSON.parse(body)).sequence);
    if (sequences.some((sequence, i) => sequence < (sequences[i - 1] ?? 0)))
      world.violate("a later event of a subject stands before an earlier one", `${subject} ${sequences.join(" ")}`);
  }
}

/** The feed alone rebuilds each payment of its partner. */
function checkPayments(world: World, feed: Feed, sessions: readonly Session[]): void {
  const kept = feed.events.filter((event) => !isLost(feed, event));
  for (const session of sessions.filter(({ plan }) => plan.partnerId === feed.partnerId)) {
    const subject = paymentSubjectOf(session.plan);
    const own = kept.filter((event) => isDeepStrictEqual(event.subject, subject));
    checkRebuilt(
      world,
      session,
      own.map(({ body }) => body),
    );
  }
}

/** Every event that a partner's server received is also in its feed. */
function checkReceived(world: World, { partnerId, events }: Feed, { webhookServer }: Platform): void {
  const bodies = new Set(events.map(({ body }) => body));
  for (const [id, { url, body }] of webhookServer.received)
    if (url === webhookUrlOf(partnerId) && !bodies.has(body)) world.violate("a webhook that is not in the feed", id);
}

async function checkReader(world: World, { events, before = [] }: Feed, reader: FeedReader): Promise<void> {
  await reader.drain();
  const { name, read, terminalId, restoredFrom = 0 } = reader;
  // The reader keeps the events that it read before the restore, and reads the restored feed from there on.
  const passed = before.filter(({ number }) => number <= restoredFrom);
  const expected = [...passed, ...events.filter(({ number }) => number > restoredFrom)]
    .map(({ body }) => body)
    .filter((body) => terminalId === undefined || terminalOf(body) === terminalId);
  const differs = Array.from({ length: Math.max(read.length, expected.length) }, (_, i) => i).find(
    (i) => read[i] !== expected[i],
  );
  if (differs !== undefined)
    world.violate(
      "a reader has read another feed",
      `${name}, event ${differs}: ${read[differs]?.slice(0, 60)} in place of ${expected[differs]?.slice(0, 60)}`,
    );
}

/** Undefined for an event without a terminal. */
const terminalOf = (body: string): string | undefined => content.parse(JSON.parse(body)).data.pointOfServiceID;

const CHECKED_FROM = FAULTS_END + 5 * MINUTE;
/** A failed try is followed by the next one after at most five minutes, and its message is redelivered after a minute. */
const CHECKED_AT = FAULTS_END + 20 * MINUTE;

/** An event is in the feed soon after the faults, whether or not its partner's server accepts it. */
export function watchFeeds(
  world: World,
  platform: Platform,
  {
    plans,
    ...others
  }: Pick<Cast, "partnerIds" | "terminals"> & { readonly plans: readonly Plan[]; readonly pages: readonly string[] },
): void {
  const { agenda, lostTime } = world;
  let due: readonly string[] = [];
  agenda.after(CHECKED_FROM, () => {
    void (async () => {
      const commands = await Promise.all(plans.map((plan) => commandsOf(platform, plan)));
      due = [...commands.flat(), ...(await otherCommands(platform, others))].flatMap(bodiesOf);
    })();
  });
  agenda.after(CHECKED_AT, () => {
    void (async () => {
      if (lostTime.restoredAt !== undefined) return; // an operator announces lost events, perhaps hours later
      const feeds = await Promise.all(others.partnerIds.map((partnerId) => wholeFeed(platform.ports, partnerId)));
      const entered = new Set(feeds.flat().map(({ body }) => body));
      for (const body of due)
        if (!entered.has(body)) world.violate("an event waits outside the feed", body.slice(0, 80));
    })();
  });
}
