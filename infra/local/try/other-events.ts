import * as z from "zod";
import { changesOf } from "../../pages/live/stream.ts";
import type { AlertView } from "../../pages/live/views/alerts.ts";
import type { Change } from "../../pages/live/views/snapshot.ts";
import type { WebhookView } from "../../pages/live/views/webhooks.ts";

/** Receives the events of a payment that are not in its timeline: those for a partner's server and for an operator. */
export interface OtherEvents {
  /** A terminal has sent a request to the partner. */
  asked(action: ActionRequest): void;
  /** An alert has called an operator. */
  alerted(alert: AlertView): void;
}

const created = z.object({
  type: z.literal("actionRequest.created"),
  data: z.object({ actionRequestID: z.string(), description: z.string().optional(), actionCode: z.string() }),
});
export type ActionRequest = z.infer<typeof created>["data"];

/** Follows the live page's webhooks and alerts about one payment. Resolves when the signal aborts or the page's server ends. */
export async function followOtherEvents(
  {
    liveUrl,
    sessionID,
    signal,
  }: { readonly liveUrl: string; readonly sessionID: string; readonly signal: AbortSignal },
  { asked, alerted }: OtherEvents,
): Promise<void> {
  const seen = new Set<string>();
  const isNew = (id: string) => !seen.has(id) && seen.add(id).size > 0;
  const isOurs = ({ sessionId }: Pick<WebhookView | AlertView, "sessionId">) => sessionId === sessionID.toLowerCase();
  for await (const { webhooks = [], alerts = [] } of changesOf(liveUrl, signal) as AsyncIterable<Change>) {
    for (const { eventId, body } of webhooks.filter(isOurs)) {
      const read = isNew(eventId) ? created.safeParse(JSON.parse(body)) : undefined;
      if (read?.success) asked(read.data.data);
    }
    for (const alert of alerts.filter(isOurs)) if (isNew(alert.id)) alerted(alert);
  }
}
