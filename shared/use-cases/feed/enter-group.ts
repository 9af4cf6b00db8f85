import type { Command, Commands } from "../../stores/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import { feedGroup, type StoredMark, type SubjectEvents } from "../../stores/feeds.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import { eventsDue, type CommandEvents } from "./events-due.ts";
import type { Needs } from "../needs.ts";

export interface EnterGroupDeps extends Needs<"clock" | "feeds"> {
  readonly commands: Pick<Commands, "ofSubject">;
}

/** A committed command whose events are to be in the feed. */
export interface FeedEntry {
  readonly subject: PartnerSubject;
  readonly command: Command;
}

/** Other processes write the same feed. One of them is first each time, so that all of them get on. */
const MOST_TRIES = 25;
const PAUSE_MS = 5;

/**
 * Enters the events of commands of one partner in one group: as many as fit. Returns the entries of which events are left. Throws
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

/** The entries of one subject, which wait for its events up to the newest of their commands. */
interface SameSubject<Entry> {
  readonly entries: readonly Entry[];
  readonly newest: Entry;
  readonly mark: StoredMark | undefined;
}

/**
 * The marks are read first: an event that is entered already, as at each later attempt of its webhook, costs no more than that. Whatever
 * changes between these reads and the write changes the head or a mark, and ends the write with a conflict.
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

/** Each change counts the sequence up by one, so no other command stands between a mark and the command that follows it. */
async function eventsOf(
  { commands, clock }: EnterGroupDeps,
  { newest: { subject, command }, mark }: SameSubject<FeedEntry>,
): Promise<readonly CommandEvents[]> {
  const follows = mark !== undefined && mark.sequence === command.sequence - 1;
  const all = follows ? [command] : await commands.ofSubject(subject);
  return eventsDue(command, all, { mark, now: clock.now() });
}

/** The first of the events that fit into the room that is left, which they make smaller. The first of a group fits always. */
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
