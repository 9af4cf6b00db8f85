import { effectId, isEvent, type StoredEvent } from "../../domain/effects.ts";
import { daysBefore } from "../../domain/retention.ts";
import type { Instant } from "../../domain/time.ts";
import type { Command } from "../../stores/commands.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import { eventBody } from "./event-body.ts";

/** A committed command whose events must enter the feed. */
export interface FeedEntry {
  readonly subject: PartnerSubject;
  readonly command: Command;
  /** The subject's other commands, read after this one was announced. */
  readonly others: readonly Command[];
  /** An earlier run has most probably entered the events. */
  readonly isRepeated: boolean;
}

/** How many days back the events of earlier changes are entered. A mark is removed with its events, which are older. */
export const UNMARKED_DAYS = 30;

/** Whether the feed has the command's events. They enter it in one group, and none of their effects is marked done before. */
export const areEntered = (command: Command): boolean =>
  eventsOf(command).some((effect) => command.done.includes(effectId(effect)));

/**
 * The commands whose events the feed may lack, in the order of their changes: the command itself and the subject's earlier ones. So no
 * event of a subject comes after a later one, whichever worker is first. A change is announced after the subject was read with the change
 * before it. So the worker's query found each earlier command. It may have missed a later one, so later commands are left to their own
 * announcements.
 */
export function commandsDue({ command, others }: Omit<FeedEntry, "isRepeated">, now: Instant): readonly Command[] {
  const since = daysBefore(now, UNMARKED_DAYS);
  const isDue = (other: Command): boolean =>
    other.state === "ready" &&
    other.sequence < command.sequence &&
    (other.at ?? "") >= since &&
    eventsOf(other).length > 0 &&
    !areEntered(other);
  return [...others.filter(isDue), command].toSorted(bySequence);
}

export const bySequence = (one: Command, other: Command): number => one.sequence - other.sequence;

/** The bodies of the command's events, in their order. */
export const bodiesOf = (command: Command): readonly string[] =>
  eventsOf(command).map((effect) => eventBody(command, effect));

const eventsOf = ({ effects }: Command): readonly StoredEvent[] => effects.filter(isEvent);
