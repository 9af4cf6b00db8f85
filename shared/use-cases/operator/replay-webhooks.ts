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
  /** Attempts so far; the next ones are numbered on from there. */
  readonly attempts: number;
}

/**
 * Has the webhooks of a subject delivered again, or the named one: with the same body and `webhook-id`, whether they were delivered, given up
 * or are being tried. Returns those that will be delivered; none where the subject or the webhook does not exist.
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
