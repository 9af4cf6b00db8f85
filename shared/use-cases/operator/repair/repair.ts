import { firstClosing } from "../../../domain/booking.ts";
import { dueOf, effectId } from "../../../domain/effects.ts";
import { isFinal } from "../../../domain/payment/record/payment.ts";
import { queueOf } from "../../../ports/queues.ts";
import { newestVersion } from "../../../ports/stored-forms.ts";
import { later, type Instant } from "../../../domain/time.ts";
import type { Announcement } from "../../../ports/announcements.ts";
import type { InboxRow } from "../../../stores/inboxes.ts";
import type { Payments } from "../../../stores/payments.ts";
import type { Subject } from "../../../ports/subjects.ts";
import { closingLook } from "../../bookings/enter-day.ts";
import { isClosingDue } from "../../bookings/look-at-day.ts";
import { eachOf } from "../../each-of.ts";
import {
  allActionPlaces,
  allPages,
  allTerminals,
  type DayPlace,
  type OnProgress,
  openDays,
  type PlacesDeps,
  walk,
} from "../places.ts";
import { messagesOf, openAt } from "./open-at.ts";
import { isOverdue, overdueSince, undoneIn, type Undone } from "./undone.ts";
import type { Needs } from "../../needs.ts";

export interface RepairDeps
  extends PlacesDeps, Needs<"announcements" | "commands" | "inboxes" | "marks" | "partnerDays" | "terminalDays"> {
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

/**
 * Announces again every committed and overdue effect of the open subjects, and a look at each partner's day whose closing is overdue. Use
 * it after a purged queue or a new namespace. Consumers are idempotent, so an effect that is still under way may be carried out twice
 * without harm. Only a webhook may be delivered once more, under its old identifier.
 *
 * Throws `Unavailable`. The call may be repeated.
 */
export async function repair(
  deps: RepairDeps,
  { now, onProgress }: { readonly now: () => Instant; readonly onProgress?: OnProgress },
  options: RepairOptions,
): Promise<Repaired> {
  const [days, ...others] = await Promise.all([
    openDays(deps),
    allTerminals(deps),
    allActionPlaces(deps),
    allPages(deps),
  ]);
  const repaired = await walk(
    [...days, ...others.flat()],
    async (place) => {
      const { subjects, inbox } = await openAt(deps, place);
      return eachOf(subjects, (subject) => announceUndone(deps, subject, inbox, { ...options, at: now() }));
    },
    onProgress,
  );
  const looks = await eachOf(days, (day) => announceLook(deps, day, { ...options, at: now() }));
  return {
    announced: [...repaired.flat().flatMap(({ announced }) => announced), ...looks.flat()],
    restoring: repaired.flat().filter(({ isRestoring }) => isRestoring).length,
  };
}

/** Announces a look at a partner's day that is not closed. In a run without `all`, its closing is overdue. */
async function announceLook(
  deps: RepairDeps,
  { partnerId, day }: DayPlace,
  { all, dryRun, at }: RepairOptions & { readonly at: Instant },
): Promise<readonly Announcement[]> {
  const key = { partnerId, day };
  const read = await deps.partnerDays.find(key);
  if (!read || read.state === "closed") return [];
  if (!all && !(await isClosingDue(deps, key, { read, at: overdueSince(at) }))) return [];
  const due = later(at, firstClosing(day));
  const look = closingLook(key, due);
  if (!dryRun) await deps.announcements.send(queueOf.look, look, due);
  return [look];
}

async function announceUndone(
  deps: RepairDeps,
  subject: Subject,
  inbox: readonly InboxRow[],
  { all, dryRun, at }: RepairOptions & { readonly at: Instant },
): Promise<{ readonly announced: readonly Announcement[]; readonly isRestoring: boolean }> {
  const isPayment = subject.kind === "payment";
  const [commands, payment] = await Promise.all([
    deps.commands.ofSubject(subject),
    isPayment ? deps.payments.find(subject) : undefined,
  ]);
  const messages = isPayment ? messagesOf(inbox, subject) : [];
  const undone = undoneIn(commands, { payment: payment?.payment, inbox: messages }, at).filter(
    (one) => all || isOverdue(one, at),
  );
  const announced = await Promise.all(
    undone.map(async (one) => {
      const announcement = await announcementOf(deps, subject, one);
      const { effect } = one;
      if (!dryRun) await deps.announcements.send(queueOf[effect.kind], announcement, dueOf(effect));
      return announcement;
    }),
  );
  return { announced, isRestoring: payment?.payment.restored !== undefined && !isFinal(payment.payment.status) };
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
