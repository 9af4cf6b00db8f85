import { effectId } from "../../domain/effects.ts";
import { newestVersion } from "../../ports/stored-forms.ts";
import type { Commands } from "../../stores/commands.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

export interface ReplayWebhooksDeps extends Needs<"announcements"> {
  readonly commands: Pick<Commands, "ofSubject" | "attempts">;
}

/** A webhook that will be delivered again. */
export interface Replayed {
  readonly eventId: string;
  readonly type: string;
  /** Attempts so far. The next attempts are numbered from there. */
  readonly attempts: number;
}

/**
 * Schedules another delivery of all webhooks of a subject, or of the named one. Body and `webhook-id` stay the same. It does not matter
 * whether a webhook was delivered, was given up, or is still being tried. Returns the webhooks that will be delivered. The result is empty
 * if the subject or the webhook does not exist.
 */
export async function replayWebhooks(
  { commands, announcements }: ReplayWebhooksDeps,
  subject: PartnerSubject,
  eventId?: string,
): Promise<Replayed[]> {
  const [found, attempts] = await Promise.all([commands.ofSubject(subject), commands.attempts(subject)]);
  const wanted = found
    .filter(({ state }) => state === "ready")
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap(({ commandId, effects }) =>
      effects
        .filter((effect) => effect.kind === "webhook")
        .filter((effect) => eventId === undefined || effect.eventId === eventId)
        .map((effect) => ({ commandId, effect })),
    );
  return Promise.all(
    wanted.map(async ({ commandId, effect }) => {
      const made = attempts.filter((attempt) => attempt.eventId === effect.eventId).map(({ attempt }) => attempt);
      const attempt = Math.max(0, ...made);
      const announcement = {
        v: newestVersion,
        subject,
        commandId,
        effect: effectId(effect),
        attempt,
        replay: true,
      } as const;
      await announcements.send("webhook-retries", announcement);
      return { eventId: effect.eventId, type: effect.type, attempts: attempt };
    }),
  );
}
