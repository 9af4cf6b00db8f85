import { after, type Instant } from "../../domain/time.ts";
import type { Command } from "../../stores/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { feedGroup, type ChangeEvents, type StoredHead } from "../../stores/feeds.ts";
import { bodiesOf, bySequence, commandsDue, type FeedEntry } from "./events-due.ts";
import type { Needs } from "../needs.ts";

export type EnterEventsDeps = Needs<"clock" | "feeds">;

/** A partner's feed as this process knows it. */
export interface KnownFeed {
  readonly partnerId: string;
  /** The head that the last successful group wrote. Undefined if it must be read. */
  head: StoredHead | undefined;
  /** Until then another process probably writes the same feed, so the head is read before each group. */
  waryUntil: Instant;
}

const WARY_SECONDS = 5;
/** Other processes write the same feed. One of them succeeds each time, so all of them make progress. */
const MOST_TRIES = 25;
const PAUSE_MS = 5;

/**
 * Enters the events of one partner's commands that the feed lacks, in as few groups as they fit in. The entries of a first run are taken to
 * be lacking, and the group is written on the known head. If that is wrong, a row of the group exists or the head has changed. Then the
 * write fails with a conflict, and marks and head are read. Throws `Unavailable`.
 */
export async function enterEvents(
  deps: EnterEventsDeps,
  feed: KnownFeed,
  entries: readonly FeedEntry[],
): Promise<void> {
  const due = dueOf(entries, deps.clock.now());
  const fresh = new Set(entries.filter(({ isRepeated }) => !isRepeated).map(({ command }) => command.commandId));
  let lacking = await lackingOf(deps, feed, due, fresh);
  for (let tries = 1; lacking.length > 0;) {
    try {
      lacking = lacking.slice(await enterGroup(deps, feed, lacking));
      tries = 1;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (tries === MOST_TRIES)
        throw new Unavailable("another writer of the feed was first each time", { cause: error });
      feed.waryUntil = after(deps.clock.now(), WARY_SECONDS);
      await deps.clock.sleep(PAUSE_MS * tries++);
      lacking = await lackingOf(deps, feed, due);
    }
  }
}

/** The commands due of each subject, each once and in the order of their changes. */
const dueOf = (entries: readonly FeedEntry[], now: Instant): readonly (readonly Command[])[] =>
  [...Map.groupBy(entries, ({ subject }) => JSON.stringify(subject)).values()].map((same) => {
    const due = same.flatMap((entry) => commandsDue(entry, now));
    return [...new Map(due.map((command) => [command.commandId, command])).values()].toSorted(bySequence);
  });

/**
 * The commands whose events the feed lacks, of one subject after the other. The marks of a subject are read from its newest command on,
 * until one exists: the feed has all events before it. Fresh commands are taken to be lacking.
 */
async function lackingOf(
  { feeds }: EnterEventsDeps,
  { partnerId }: KnownFeed,
  due: readonly (readonly Command[])[],
  fresh: ReadonlySet<string> = new Set(),
): Promise<readonly Command[]> {
  const ofSubjects = due.map(async (commands) => {
    for (const [i, { commandId }] of [...commands.entries()].toReversed())
      if (!fresh.has(commandId) && (await feeds.isMarked(partnerId, commandId))) return commands.slice(i + 1);
    return commands;
  });
  return (await Promise.all(ofSubjects)).flat();
}

/**
 * Writes the first of these commands' events, as many as fit into one group, and returns the number of these commands. The head is known
 * only after a success, because a write of unknown outcome may have replaced it.
 */
async function enterGroup(
  { feeds, clock }: EnterEventsDeps,
  feed: KnownFeed,
  lacking: readonly Command[],
): Promise<number> {
  const { partnerId, head: known } = feed;
  feed.head = undefined;
  const at = clock.now();
  const head = (at < feed.waryUntil ? undefined : known) ?? (await feeds.head(partnerId));
  const changes = fitting(lacking);
  feed.head = await feeds.enter(partnerId, head, { changes, at });
  return changes.length;
}

/** The events of the first commands, as many as fit into one group. Those of the first command always fit. */
function fitting(commands: readonly Command[]): readonly ChangeEvents[] {
  const changes: ChangeEvents[] = [];
  let rows: number = feedGroup.rows;
  let characters: number = feedGroup.characters;
  for (const command of commands) {
    const { commandId, subject } = command;
    const bodies = bodiesOf(command);
    rows -= bodies.length + 1;
    characters -= bodies.reduce((sum, body) => sum + body.length, 0);
    if (changes.length > 0 && (rows < 0 || characters < 0)) break;
    changes.push({ commandId, subject, bodies });
  }
  return changes;
}
