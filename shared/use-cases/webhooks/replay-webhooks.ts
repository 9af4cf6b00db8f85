import { effectId } from "../../domain/effects.ts";
import { newestVersion } from "../../domain/stored-forms.ts";
import type { Announcements } from "../../ports/announcements.ts";
import type { Commands } from "../../ports/commands.ts";
import type { Payments } from "../../ports/payments.ts";
import type { PaymentKey, Subject } from "../../ports/subjects.ts";

export interface ReplayWebhooksDeps {
  readonly payments: Payments;
  readonly commands: Commands;
  readonly announcements: Announcements;
}

/** A webhook that will be delivered again. */
export interface Replayed {
  readonly eventId: string;
  readonly type: string;
  /** Attempts so far; the next ones are numbered on from there. */
  readonly attempts: number;
}

/**
 * Has a payment's webhooks delivered again, or the named one: with the same body and `webhook-id`, whether they were delivered, given up or
 * are being tried. Returns those that will be delivered; none where the payment or the webhook does not exist.
 */
export async function replayWebhooks(
  { payments, commands, announcements }: ReplayWebhooksDeps,
  key: PaymentKey,
  eventId?: string,
): Promise<Replayed[]> {
  const subject: Subject = { kind: "payment", ...key };
  const [history, attempts] = await Promise.all([payments.history(key), commands.attempts(subject)]);
  const found = await Promise.all(
    history.flatMap((entry) => (entry.commandId === undefined ? [] : [commands.find(subject, entry.commandId)])),
  );
  const wanted = found.flatMap((command) =>
    (command?.state === "ready" ? command.effects : []).flatMap((effect) =>
      command && effect.kind === "webhook" && (eventId === undefined || effect.eventId === eventId)
        ? [{ commandId: command.commandId, effect }]
        : [],
    ),
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
