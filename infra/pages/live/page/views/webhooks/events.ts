import type { WebhookView } from "../../../views/webhooks.ts";

/** One event for the partner, with its attempts, the newest first. */
export interface WebhookEvent {
  /** The `webhook-id`. */
  readonly id: string;
  readonly type: string;
  readonly attempts: readonly [WebhookView, ...WebhookView[]];
}

/** Groups attempts by event. The attempts come newest first, so the event with the newest attempt is first. */
export function eventsOf(webhooks: readonly WebhookView[]): readonly WebhookEvent[] {
  const byEvent = new Map<string, [WebhookView, ...WebhookView[]]>();
  for (const webhook of webhooks) {
    const attempts = byEvent.get(webhook.eventId);
    if (attempts) attempts.push(webhook);
    else byEvent.set(webhook.eventId, [webhook]);
  }
  return [...byEvent].map(([id, attempts]) => ({ id, type: attempts[0].type, attempts }));
}

/** When the event is sent again. Undefined if it is not sent again. */
export const nextAttempt = ({ attempts: [last] }: WebhookEvent): number | undefined => last.nextAt;
