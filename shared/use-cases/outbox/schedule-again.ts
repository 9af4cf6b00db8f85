import type { EffectKind } from "../../domain/effects.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import { retryQueueOf } from "../../ports/queues.ts";
import type { WebhookAttempt } from "../../domain/webhook-attempt.ts";
import type { Delivery } from "./committed-command.ts";
import type { Delivered, Outcome } from "./outcome.ts";
import type { Needs } from "../needs.ts";

type AgainDeps = Needs<"announcements">;

/**
 * Schedules the message again. The copy keeps the time of the first announcement, because within the commit window the command may still be
 * committed.
 */
export const sendAgain = (
  { announcements }: AgainDeps,
  { queue, announcement, enqueuedAt }: Delivery,
  tries: number,
  at: Instant,
): Promise<void> =>
  announcements.send(
    queue,
    { ...announcement, firstEnqueuedAt: announcement.firstEnqueuedAt ?? enqueuedAt, failures: tries },
    at,
  );

/** Schedules the same look for a later moment. Moments are compared with each other only, so no clock is read. */
export async function lookAgain(
  deps: AgainDeps,
  { queue, announcement, enqueuedAt }: Delivery,
  at: Instant,
): Promise<Delivered> {
  const again = { ...announcement, at, failures: undefined, firstEnqueuedAt: undefined, lookups: undefined };
  await deps.announcements.send(queue, again, at);
  return { outcome: "scheduled", dueMs: msBetween(enqueuedAt, at) };
}

type Again = Exclude<Outcome, string | { readonly done: WebhookAttempt }>;

/** Schedules the look or the next attempt that the outcome asks for. `tookMs` is how long this one took. */
export async function again(
  deps: AgainDeps,
  delivery: Delivery,
  { kind, tookMs }: { readonly kind: EffectKind; readonly tookMs: number },
  outcome: Again,
): Promise<Delivered> {
  if ("lookAt" in outcome) return lookAgain(deps, delivery, outcome.lookAt);
  // The worker's own clock may be wrong, so it measures only the duration.
  const at = after(delivery.enqueuedAt, tookMs / 1000 + outcome.retryInSeconds);
  // The dependencies have responded, so failures count from zero again, and from the new enqueued time.
  const next = { ...outcome.announcement, failures: undefined, firstEnqueuedAt: undefined };
  await deps.announcements.send(retryQueueOf[kind], next, at);
  await outcome.onScheduled?.();
  return { outcome: "scheduled", dueMs: outcome.retryInSeconds * 1_000 };
}
