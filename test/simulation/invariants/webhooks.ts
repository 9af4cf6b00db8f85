import { z } from "zod";
import type { ChargeState } from "../../../shared/domain/payment/payment.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

const envelope = z.object({
  type: z.string(),
  sequence: z.int(),
  data: z.object({ status: z.string(), charges: z.array(z.object({ status: z.string() })) }),
});
const settled: readonly string[] = ["voided", "reversed", "kept"] satisfies ChargeState[];

/** What the last event about a charge must say of it, where it was to be given back. */
const lastWord: Partial<Record<ChargeState, string>> = {
  reversing: "reversal.requested",
  reversed: "reversal.succeeded",
  reversalFailed: "reversal.failed",
  kept: "payment.corrected",
};

/**
 * The partner knows how all of it ends. Each state that it did not ask for itself was told by an event under that change's identifier,
 * and the last event about a charge says what became of it.
 */
export function checkWebhooks(world: World, { plan, payment, history }: Session, { webhookServer }: Platform): void {
  if (!payment) return;
  const { sessionId } = plan;
  const received = (id: string) => {
    const webhook = webhookServer.received.get(id);
    return webhook && envelope.parse(JSON.parse(webhook.body));
  };
  for (const { sequence, by, from, to, event } of history) {
    if (by === "partner" || from === to || event === "request") continue;
    const told = received(`${sessionId}_${sequence}`);
    if (told?.type !== `payment.${to}` || told.sequence !== sequence || told.data.status !== to)
      world.violate("a change that the partner was not told of", `${sessionId} ${sequence} ${to}: ${told?.type}`);
    if (to === "voided" && told?.data.charges.some(({ status }) => !settled.includes(status)))
      world.violate("voided while a charge was on its way back", `${sessionId} ${sequence}`);
  }
  for (const { chargeId, status } of payment.charges) {
    const last = history.findLast(({ sequence }) => received(`${sessionId}_${sequence}_${chargeId}`));
    const told = last && received(`${sessionId}_${last.sequence}_${chargeId}`);
    if (told?.type !== lastWord[status])
      world.violate("a charge of which the partner was told otherwise", `${sessionId} ${chargeId} ${told?.type}`);
  }
}
