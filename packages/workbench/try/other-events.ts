import * as z from "zod";
import { changesOf } from "../live/stream.ts";
import type { AlertView } from "../live/views/alerts.ts";

/** Receives the events of a payment that are not in its timeline: those for a partner's server and for an operator. */
export interface OtherEvents {
  /** A terminal has sent a request to the partner. */
  asked(action: ActionRequest): void;
  /** An alert has called an operator. */
  alerted(alert: AlertView): void;
  /** The payment has changed, or one of its webhooks has arrived or got its response. */
  changed(): void;
}

const created = z.object({
  type: z.literal("actionRequest.created"),
  timestamp: z.string(),
  data: z.object({ actionRequestID: z.string(), description: z.string().optional(), actionCode: z.string() }),
});
type ActionRequest = z.infer<typeof created>;

/** Follows the live page's webhooks and alerts about one payment. Resolves when the signal aborts or the page's server ends. */
export async function followOtherEvents(
  {
    liveUrl,
    sessionID,
    signal,
  }: { readonly liveUrl: string; readonly sessionID: string; readonly signal: AbortSignal },
  { asked, alerted, changed }: OtherEvents,
): Promise<void> {
  const seen = new Set<string>();
  const isNew = (id: string) => !seen.has(id) && seen.add(id).size > 0;
  const ours = <Item extends { readonly sessionId?: string }>(items: readonly Item[] = []): readonly Item[] =>
    items.filter(({ sessionId }) => sessionId === sessionID.toLowerCase());
  for await (const change of changesOf(liveUrl, signal)) {
    const [payments, webhooks, alerts] = [ours(change.payments), ours(change.webhooks), ours(change.alerts)];
    for (const { body } of webhooks.filter(({ eventId }) => isNew(eventId))) {
      const { success, data } = created.safeParse(JSON.parse(body));
      if (success) asked(data);
    }
    alerts.filter(({ id }) => isNew(id)).forEach(alerted);
    // The stream also repeats a payment for each span of a request that reads it.
    const states = [
      ...payments.map(({ sequence }) => `payment ${sequence}`),
      ...webhooks.map(({ id, answer }) => `webhook ${id} ${answer}`),
    ];
    if (states.filter(isNew).length > 0) changed();
  }
}
