import type { StoredEffect } from "../../domain/effects.ts";
import { daysBefore } from "../../domain/retention.ts";
import type { Instant } from "../../domain/time.ts";
import type { Command } from "../../stores/commands.ts";
import type { FeedMark, SubjectEvents } from "../../stores/feeds.ts";
import { eventBody } from "./event-body.ts";

/** How many days back the events of a subject without a mark are entered. Its mark was removed with its events, or it never had one. */
export const UNMARKED_DAYS = 30;

/** The events of one command. */
export interface CommandEvents extends Pick<SubjectEvents, "bodies" | "sequence"> {}

/**
 * The events up to the command that the subject's feed lacks, in the order of their changes. Changes are committed in their order, so each
 * earlier one is among the commands. So no event of a subject comes after a later one, whichever worker is first. Later commands are left
 * to their own announcements, because one query may miss a change that is older than another one it finds.
 *
 * @param commands all commands of the subject, read after the command was read
 */
export function eventsDue(
  command: Pick<Command, "sequence">,
  commands: readonly Command[],
  { mark, now }: { readonly mark: FeedMark | undefined; readonly now: Instant },
): readonly CommandEvents[] {
  const since = mark ? undefined : daysBefore(now, UNMARKED_DAYS);
  const isDue = ({ state, sequence, at = "" }: Command): boolean =>
    state === "ready" &&
    sequence > (mark?.sequence ?? 0) &&
    sequence <= command.sequence &&
    (since === undefined || at >= since || sequence === command.sequence);
  return commands
    .filter(isDue)
    .toSorted((one, other) => one.sequence - other.sequence)
    .map((due) => ({
      sequence: due.sequence,
      bodies: due.effects.filter(isWebhook).map((effect) => eventBody(due, effect)),
    }))
    .filter(({ bodies }) => bodies.length > 0);
}

const isWebhook = (effect: StoredEffect): effect is StoredEffect<"webhook"> => effect.kind === "webhook";
