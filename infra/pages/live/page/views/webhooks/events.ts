import type { WebhookView } from "../../../views/webhooks.ts";

/** One event for the partner, with its attempts, the newest first. */
export interface WebhookEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly attempts: readonly [WebhookView, ...WebhookView[]];
}

/** The events of the attempts, which are the newest first: the event with the newest attempt is the first. */
export function eventsOf(webhooks: readonly WebhookView[]): readonly WebhookEvent[] {
  const byEvent = new Map<string, [WebhookView, ...WebhookView[]]>();
  for (const webhook of webhooks) {
    const attempts = byEvent.get(webhook.eventId);
    if (attempts) attempts.push(webhook);
    else byEvent.set(webhook.eventId, [webhook]);
  }
  return [...byEvent].map(([id, attempts]) => ({ id, type: attempts[0].type, attempts }));
}

/** When the event is sent again; undefined where it is not. */
export const nextAttempt = ({ attempts: [last] }: WebhookEvent): number | undefined => last.nextAt;
