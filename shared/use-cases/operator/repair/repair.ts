import { dueOf, effectId } from "../../../domain/effects.ts";
import { isFinal } from "../../../domain/payment/record/payment.ts";
import { queueOf } from "../../../ports/queues.ts";
import { newestVersion } from "../../../ports/stored-forms.ts";
import { after, type Instant } from "../../../domain/time.ts";
import type { Announcement } from "../../../ports/announcements.ts";
import { Conflict } from "../../../ports/failures.ts";
import type { Payments } from "../../../stores/payments.ts";
import type { OpenEntry } from "../../../stores/listings.ts";
import type { Subject } from "../../../ports/subjects.ts";
import { openMessages } from "../../terminals/open-messages.ts";
import { eachOf } from "../../each-of.ts";
import { leaveIfOver, type LeaveOpenListDeps } from "../../outbox/leave-open-list.ts";
import { isOverdue, undoneIn, type Undone } from "./undone.ts";
import type { Needs } from "../../needs.ts";

export interface RepairDeps extends LeaveOpenListDeps, Needs<"announcements" | "inboxes"> {
  readonly payments: Pick<Payments, "find">;
}

export interface RepairOptions {
  /** Also announces effects that are not overdue, such as future deadlines. For queues that have lost everything. */
  readonly all: boolean;
  /** Writes and sends nothing. */
  readonly dryRun: boolean;
}

export interface Repaired {
  /** The announcements that were sent, or in a dry run would be. */
  readonly announced: readonly Announcement[];
  /** The open payments whose terminal has not answered the query of a restore by name. They may hold their terminals. */
  readonly restoring: number;
}

/** Seconds after which the entry of a subject that does not exist is removed. Its commit was given up after half a minute. */
const NEVER_CAME_SECONDS = 24 * 3600;

/**
 * Announces again every committed and overdue effect of the open subjects. Use it after a purged queue or a new namespace.
 * Consumers are idempotent, so an effect that is still under way may be carried out twice without harm. Only a webhook may be delivered
 * once more, under its old identifier. Subjects that have ended are removed from the list.
 *
 * Throws `Unavailable`. The call may be repeated.
 */
export async function repair(
  deps: RepairDeps,
  { now }: { readonly now: () => Instant },
  options: RepairOptions,
): Promise<Repaired> {
  const entries = await deps.listings.listOpen();
  const repaired = await eachOf(entries, (entry) => announceUndone(deps, entry, now(), options));
  return {
    announced: repaired.flatMap(({ announced }) => announced),
    restoring: repaired.reduce((sum, { restoring }) => sum + restoring, 0),
  };
}

async function announceUndone(
  deps: RepairDeps,
  entry: OpenEntry,
  now: Instant,
  { all, dryRun }: RepairOptions,
): Promise<Repaired> {
  const { subject } = entry;
  if (!dryRun && (await sweep(deps, entry, now))) return { announced: [], restoring: 0 };
  const [commands, payment, inbox] = await Promise.all([
    deps.commands.ofSubject(subject),
    subject.kind === "payment" ? deps.payments.find(subject) : undefined,
    subject.kind === "payment" ? openMessages(deps, subject) : undefined,
  ]);
  const undone = undoneIn(commands, payment?.payment, inbox).filter((one) => all || isOverdue(one, now));
  const announced = await Promise.all(
    undone.map(async (one) => {
      const announcement = await announcementOf(deps, subject, one);
      const { effect } = one;
      if (!dryRun) await deps.announcements.send(queueOf[effect.kind], announcement, dueOf(effect));
      return announcement;
    }),
  );
  const isRestoring = payment?.payment.restored !== undefined && !isFinal(payment.payment.status);
  return { announced, restoring: isRestoring ? 1 : 0 };
}

/** Removes the entry of a subject that has ended or was never committed. True if the entry is gone. */
async function sweep(deps: RepairDeps, entry: OpenEntry, now: Instant): Promise<boolean> {
  try {
    const is = await leaveIfOver(deps, entry);
    if (is !== "absent" || after(entry.enteredAt, NEVER_CAME_SECONDS) > now) return is === "gone";
    await deps.listings.leaveOpen(entry);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false; // another writer is changing it
    throw error;
  }
}

async function announcementOf(
  { commands }: RepairDeps,
  subject: Subject,
  { commandId, effect }: Undone,
): Promise<Announcement> {
  const announcement = { v: newestVersion, subject, commandId, effect: effectId(effect) } as const;
  if (effect.kind === "look") return { ...announcement, at: effect.at };
  if (effect.kind !== "webhook" || subject.kind === "tokenRequest") return announcement;
  const attempts = await commands.attempts(subject, effect.eventId);
  // The next attempt follows the last recorded one. None of the recorded attempts succeeded, because that would have marked the webhook
  // done.
  return { ...announcement, attempt: attempts.reduce((most, { attempt }) => Math.max(most, attempt), 0) };
}
