import type { OrderHolder } from "../../../shared/domain/payment/requests/duplicate.ts";
import { orderHold, orderOf } from "../../../shared/domain/payment/record/order.ts";
import type { Plan } from "../actors/plan.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * At the end an order's list has exactly the sessions that hold the order. An order is released at the payment's end, and held again after
 * a later charge. Each entry is true, except that "living" may be outdated, because the next payment reads that session. It may also be of
 * a request that was never committed. If a session repeats a charged session of its partner, its request marks it. A response names only
 * sessions of its own partner, as duplicates of their own order.
 */
export async function checkOrders(
  world: World,
  sessions: readonly Session[],
  { ports }: Platform,
  { ending, ledger }: { readonly ending: Ending; readonly ledger: CardLedger },
): Promise<void> {
  for (const { plan, payment } of sessions) {
    if (world.lostTime.behind.has(plan.sessionId)) continue; // its marks and entries may be from the lost time
    if (payment && ledger.repeats.has(plan.sessionId) && payment.possibleDuplicateOf === undefined)
      world.violate("a possible duplicate without its mark", plan.sessionId);
    for (const named of [payment?.possibleDuplicateOf ?? [], ...plan.known.duplicates].flat()) {
      const other = sessions.find((s) => s.plan.sessionId === named)?.plan;
      const isOwn = other?.partnerId === plan.partnerId && other !== plan && keyOf(other) === keyOf(plan);
      if (!isOwn) world.violate("a duplicate that is not the partner's own", `${plan.sessionId}: ${named}`);
    }
  }
  if (ending !== "quiet") return;
  for (const session of sessions) await checkListed(world, session, ports);
}

const keyOf = ({ request }: Plan): string => JSON.stringify(orderOf(request) ?? null);

/** Checks the entry of a session in its order's list. */
async function checkListed(world: World, { plan, payment }: Session, { orders }: Platform["ports"]): Promise<void> {
  const key = orderOf(plan.request);
  if (!key || world.lostTime.behind.has(plan.sessionId)) return;
  const isOwn = (holder: OrderHolder) =>
    holder.partnerId === plan.partnerId &&
    holder.sessionId === plan.sessionId &&
    (!payment || holder.commandId === payment.requestedBy);
  const listed = (await orders.find(key))?.holders.find(isOwn)?.hold;
  const holds = payment && orderHold(payment);
  const isKept = payment?.charges.some(({ status }) => status === "reversalFailed") ?? false;
  const found = listed === "living" ? holds : listed; // as the next payment finds it
  if (isKept && found !== "approved")
    world.violate("an order is free, but its money was not given back", plan.sessionId);
  if (found !== holds)
    world.violate("an order's list is wrong", `${plan.sessionId}: ${listed ?? "absent"}, and is ${holds ?? "over"}`);
}
