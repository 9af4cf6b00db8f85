import { queueOf, retryQueueOf, type QueueName } from "../../ports/queues.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Command } from "../../stores/commands.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Needs } from "../needs.ts";
import type { Outcome } from "./outcome.ts";

export type FindCommandDeps = Needs<"announcements" | "clock" | "commands" | "timings">;

/** An announcement as the broker delivered it. */
export interface Delivery {
  readonly queue: QueueName;
  readonly announcement: Announcement;
  /** The broker's enqueued time. Announcements are compared by this clock only. */
  readonly enqueuedAt: Instant;
  /** Whether the broker has delivered this same message before. */
  readonly isRedelivered: boolean;
}

/** A committed command, with all other commands of its subject if they were read in the same query. */
export interface FoundCommand {
  readonly command: Command;
  readonly others: readonly Command[] | undefined;
}

/** Carries out an announced effect without its command, if its rows show that it was committed. Undefined if they do not. */
export type Directly = () => Promise<Outcome | undefined>;

/**
 * The announced command, if it was committed. Returns `awaited` if that may still happen; undefined if it was aborted. Returns the outcome
 * if the effect was carried out without the command.
 *
 * Within the commit window, a copy of the announcement is scheduled for a missing command. After the window a tombstone is inserted, so
 * that a late commit fails. Then the row is read once more, and decides.
 */
export async function committedCommand(
  deps: FindCommandDeps,
  delivery: Delivery,
  directly?: Directly,
): Promise<FoundCommand | "awaited" | { readonly outcome: Outcome } | undefined> {
  const { announcement } = delivery;
  const known = await lookUp(deps, delivery, directly);
  if (known && "outcome" in known) return known;
  let found = known;
  if (!found && isWithinWindow(deps, delivery)) {
    await lookAgainLater(deps, delivery);
    return "awaited";
  }
  if (!found) {
    await insertTombstone(deps, announcement);
    found = await look(deps, delivery);
  }
  return found?.command.state === "ready" ? found : undefined;
}

/**
 * Pauses between the first lookups. A commit follows its announcement within milliseconds, so nearly no message needs a second delivery.
 * The first pause is the shortest, because a customer at an idle terminal notices it.
 */
const LOOKUP_PAUSES_MS = [3, 10, 30, 60, 120];

async function lookUp(
  deps: FindCommandDeps,
  delivery: Delivery,
  directly: Directly | undefined,
): Promise<FoundCommand | { readonly outcome: Outcome } | undefined> {
  for (const pause of [0, ...LOOKUP_PAUSES_MS]) {
    if (pause > 0) await deps.clock.sleep(pause);
    const outcome = await directly?.();
    if (outcome) return { outcome };
    const found = directly ? undefined : await look(deps, delivery);
    if (found) return found;
  }
  return directly && look(deps, delivery);
}

/** Looks the command up. For a webhook, all commands of its subject are read in the same query. */
async function look(
  { commands }: FindCommandDeps,
  { queue, announcement: { subject, commandId } }: Delivery,
): Promise<FoundCommand | undefined> {
  if (commandId === undefined) return undefined;
  const readsAll = queue === queueOf.webhook || queue === retryQueueOf.webhook;
  const all = readsAll ? await commands.ofSubject(subject) : undefined;
  const command = all ? all.find((one) => one.commandId === commandId) : await commands.find(subject, commandId);
  return command && { command, others: all?.filter((one) => one !== command) };
}

const isWithinWindow = ({ timings }: FindCommandDeps, { announcement, enqueuedAt }: Delivery): boolean =>
  msBetween(announcement.firstEnqueuedAt ?? enqueuedAt, enqueuedAt) < timings.commitWindowSeconds * 1000;

async function lookAgainLater(deps: FindCommandDeps, { queue, announcement, enqueuedAt }: Delivery): Promise<void> {
  const lookups = (announcement.lookups ?? 0) + 1;
  const copy = { ...announcement, firstEnqueuedAt: announcement.firstEnqueuedAt ?? enqueuedAt, lookups };
  await deps.announcements.send(queue, copy, after(enqueuedAt, 2 ** Math.min(lookups, 4)));
}

async function insertTombstone(
  { commands, clock }: FindCommandDeps,
  { subject, commandId }: Announcement,
): Promise<void> {
  if (commandId === undefined) return;
  try {
    await commands.abortCommand(subject, commandId, clock.now());
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
