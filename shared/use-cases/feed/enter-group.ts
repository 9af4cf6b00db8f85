import type { Command, Commands } from "../../stores/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { feedGroup, type StoredMark, type SubjectEvents } from "../../stores/feeds.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import { eventsDue, type CommandEvents } from "./events-due.ts";
import type { Needs } from "../needs.ts";

export interface EnterGroupDeps extends Needs<"clock" | "feeds"> {
  readonly commands: Pick<Commands, "ofSubject">;
}

/** A committed command whose events must enter the feed. */
export interface FeedEntry {
  readonly subject: PartnerSubject;
  readonly command: Command;
}

/** Other processes write the same feed. One of them succeeds each time, so all of them make progress. */
const MOST_TRIES = 25;
const PAUSE_MS = 5;

/**
 * Enters the events of one partner's commands in one group, as many as fit. Returns the entries whose events did not all fit. Throws
 * `Unavailable`.
 */
export async function enterGroup<Entry extends FeedEntry>(
  deps: EnterGroupDeps,
  partnerId: string,
  entries: readonly Entry[],
): Promise<Entry[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryGroup(deps, partnerId, entries);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (tries === MOST_TRIES)
        throw new Unavailable("another writer of the feed was first each time", { cause: error });
      await deps.clock.sleep(PAUSE_MS * tries);
    }
  }
}

/** The entries of one subject. They wait for the subject's events up to their newest command. */
interface SameSubject<Entry> {
  readonly entries: readonly Entry[];
  readonly newest: Entry;
  readonly mark: StoredMark | undefined;
}

/**
 * Reads the marks first. If the events were entered before, as on each later attempt of a webhook, nothing else is read. Any change between
 * these reads and the write changes the head or a mark, so the write fails with a conflict.
 */
async function tryGroup<Entry extends FeedEntry>(
  deps: EnterGroupDeps,
  partnerId: string,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const bySubject = Map.groupBy(entries, ({ subject }) => JSON.stringify(subject));
  const marked = await Promise.all([...bySubject.values()].map((same) => markedOf(deps, same)));
  const behind = marked.filter(({ newest, mark }) => newest.command.sequence > (mark?.sequence ?? 0));
  if (behind.length === 0) return [];
  const [head, ...dues] = await Promise.all([
    deps.feeds.head(partnerId),
    ...behind.map(async (same) => ({ ...same, events: await eventsOf(deps, same) })),
  ]);
  const room = { ...feedGroup };
  const left: Entry[] = [];
  const subjects = dues.flatMap(({ entries: waiting, newest: { subject }, mark, events }): SubjectEvents[] => {
    const fitting = taken(room, events);
    const last = fitting.at(-1);
    if (fitting.length < events.length) left.push(...waiting);
    return last ? [{ subject, mark, bodies: fitting.flatMap(({ bodies }) => bodies), sequence: last.sequence }] : [];
  });
  if (subjects.length > 0) await deps.feeds.enter(partnerId, head, { subjects, at: deps.clock.now() });
  return left;
}

async function markedOf<Entry extends FeedEntry>(
  { feeds }: EnterGroupDeps,
  entries: readonly Entry[],
): Promise<SameSubject<Entry>> {
  const newest = entries.reduce((one, other) => (other.command.sequence > one.command.sequence ? other : one));
  return { entries, newest, mark: await feeds.mark(newest.subject) };
}

/**
 * Each change increases the sequence by one. If the command directly follows the mark, no other command can lie between them, so the others
 * are not read.
 */
async function eventsOf(
  { commands, clock }: EnterGroupDeps,
  { newest: { subject, command }, mark }: SameSubject<FeedEntry>,
): Promise<readonly CommandEvents[]> {
  const follows = mark !== undefined && mark.sequence === command.sequence - 1;
  const all = follows ? [command] : await commands.ofSubject(subject);
  return eventsDue(command, all, { mark, now: clock.now() });
}

/** Takes the first events that fit into the remaining room, and reduces the room. The first event of a group always fits. */
function taken(room: { rows: number; characters: number }, events: readonly CommandEvents[]): CommandEvents[] {
  const fitting: CommandEvents[] = [];
  for (const event of events) {
    const rows = event.bodies.length + (fitting.length === 0 ? 1 : 0); // the first one brings the mark
    const characters = event.bodies.reduce((sum, body) => sum + body.length, 0);
    const isFirst = room.rows === feedGroup.rows;
    if (!isFirst && (rows > room.rows || characters > room.characters)) break;
    room.rows -= rows;
    room.characters -= characters;
    fitting.push(event);
  }
  return fitting;
}
