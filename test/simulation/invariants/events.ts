import { z } from "zod";
import type { WebhookServer } from "../platform/webhook-server.ts";

const envelope = z.object({
  id: z.string(),
  type: z.string(),
  sequence: z.int(),
  data: z.object({
    status: z.string(),
    amounts: z.object({ requested: z.number(), captured: z.number(), refunded: z.number() }),
    refunds: z.array(z.object({ status: z.string(), refundAmount: z.number() })),
    charges: z.array(z.object({ status: z.string() })),
  }),
});
/** An event about a payment, as its partner's server received it. */
export type ReceivedPaymentEvent = z.infer<typeof envelope>;

/** The events of one session at its partner's server, by their identifiers. */
export function eventsOf({ received }: WebhookServer, sessionId: string): ReadonlyMap<string, ReceivedPaymentEvent> {
  const own = [...received].filter(([id]) => id.startsWith(`${sessionId}_`));
  return new Map(own.map(([id, { body }]) => [id, envelope.parse(JSON.parse(body))]));
}
