import * as z from "zod";
import type { Command } from "../../../shared/stores/commands.ts";
import type { Platform } from "../platform/platform.ts";
import { wholeFeed } from "../platform/whole-feed.ts";

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
/** An event about a payment, as its partner received it. */
export type ReceivedPaymentEvent = z.infer<typeof envelope>;

/** Events by their identifiers, without the command at the end. */
export type Told = ReadonlyMap<string, { readonly body: string }>;

/** The events that a partner received: at its server or, if it has no address, in its feed. */
export async function toldTo({ ports, webhookServer }: Platform, partnerId: string): Promise<Told> {
  const partner = await ports.partners.find(partnerId);
  if (partner?.webhookUrl !== undefined)
    return new Map([...webhookServer.received].map(([id, event]) => [withoutCommand(id), event]));
  const feed = await wholeFeed(ports, partnerId);
  return new Map(feed.map(({ body }) => [withoutCommand(named.parse(JSON.parse(body)).id), { body }]));
}
const withoutCommand = (id: string): string => id.slice(0, id.lastIndexOf("_"));
const named = z.object({ id: z.string() });

/** The events of a session's commands that its partner received. A restored feed's events of lost commands are not among them. */
export function eventsOf(
  told: Told,
  commands: readonly Pick<Command, "effects">[],
): ReadonlyMap<string, ReceivedPaymentEvent> {
  const ids = commands.flatMap(({ effects }) =>
    effects.flatMap((one) => (one.kind === "webhook" ? [withoutCommand(one.eventId)] : [])),
  );
  return new Map(
    ids.flatMap((id) => {
      const event = told.get(id);
      return event ? [[id, envelope.parse(JSON.parse(event.body))] as const] : [];
    }),
  );
}
