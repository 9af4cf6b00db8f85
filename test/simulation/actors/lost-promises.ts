import type { World } from "../world/world.ts";
import type { Plan } from "./plan.ts";

/** The partners' knowledge at one moment, by session. */
type Promises = ReadonlyMap<string, Plan["known"]>;

export const rememberPromises = (plans: readonly Plan[]): Promises =>
  new Map(plans.map(({ sessionId, known }) => [sessionId, structuredClone(known)]));

/**
 * Removes the promises that responses made after the export, because the restored platform does not keep them. Only the knowledge at the
 * export counts. Later requests may have been carried out.
 */
export function forgetPromises({ lostTime }: World, plans: readonly Plan[], promises: Promises): void {
  for (const { sessionId, known } of plans) {
    if (!lostTime.behind.has(sessionId)) continue;
    const then = promises.get(sessionId);
    const { acknowledged = false, ruledOut = false, cancelled = false } = then ?? {};
    Object.assign(known, { acknowledged, ruledOut, cancelled, conflicts: false, inDoubt: true });
    known.holders.clear();
    known.shown.length = then?.shown.length ?? 0;
    for (const [i, ask] of known.refunds.entries())
      known.refunds[i] = { ...ask, isAccepted: then?.refunds[i]?.isAccepted ?? false };
    for (const [i, ask] of known.discounts.entries())
      known.discounts[i] = { ...ask, isAccepted: then?.discounts[i]?.isAccepted ?? false };
  }
}
