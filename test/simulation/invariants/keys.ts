import type { CardLedger } from "../actors/card-ledger.ts";
import { KEPT, nameOfKey } from "../platform/keys.ts";
import { msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * One session under a key of a partner has a payment at most, and one has charged a card. The exception for cards is a key whose
 * holder a restore lost, perhaps with its payment. A request is refused for the sake of a payment that exists. A key may be used again when
 * its time is over.
 */
export function checkKeys(world: World, sessions: readonly Session[], ledger: CardLedger): void {
  const { lostTime, violate } = world;
  const sales = Map.groupBy(sessions, ({ plan }) =>
    plan.idempotencyKey === undefined ? undefined : nameOfKey(plan.partnerId, plan.idempotencyKey),
  );
  for (const [name, own] of sales) {
    if (name === undefined) continue;
    const paid = own.filter(({ payment }) => payment !== undefined);
    if (areOfOneTime(world, paid)) violate("two payments under one key", `${name}: ${listed(paid)}`);
    const charged = own.filter(({ plan }) => ledger.chargesOf(plan.sessionId).length > 0);
    if (areOfOneTime(world, charged) && !lostTime.keys.has(name))
      violate("two charged cards under one key", `${name}: ${listed(charged)}`);
    for (const { plan } of own) checkHolders(world, plan, own);
  }
}

const listed = (sessions: readonly Session[]): string => sessions.map(({ plan }) => plan.sessionId).join(" and ");

/** Whether two of the sessions were requested within the time of one key. A payment that is not in the books was lost by a restore. */
function areOfOneTime({ lostTime }: World, sessions: readonly Session[]): boolean {
  const times = sessions.map(({ payment }) => (payment ? msAt(payment.createdAt) : (lostTime.restoredAt ?? 0)));
  const inOrder = times.toSorted((one, other) => one - other);
  return inOrder.some((at, i) => i > 0 && at - (inOrder[i - 1] ?? at) < KEPT);
}

/** A restore may lose the payment of a refusal, or its commit. */
function checkHolders(
  { lostTime, violate }: World,
  { known, sessionId }: Session["plan"],
  own: readonly Session[],
): void {
  if (lostTime.restoredAt !== undefined) return;
  for (const holder of known.holders)
    if (!own.some(({ plan, payment }) => plan.sessionId === holder && payment))
      violate("a key is held for a session without a payment", `${sessionId}: ${holder}`);
}
