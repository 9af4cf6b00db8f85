import { orderOf } from "../../../shared/domain/payment/duplicate.ts";
import { holdsOrder, holdsTerminal } from "../../../shared/domain/payment/payment.ts";
import type { Plan } from "../actors/plan.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/**
 * Orders are given back: when all is quiet no order's list holds a session that no longer matters, and of every other it is known whether
 * it is approved. A session that repeats what another of its partner's was charged for carries its mark, whichever of request and worker
 * saw it. Sessions are named to their own partner only, and as duplicates of their own order.
 */
export async function checkOrders(
  world: World,
  sessions: readonly Session[],
  { ports }: Platform,
  { ending, ledger }: { readonly ending: Ending; readonly ledger: CardLedger },
): Promise<void> {
  for (const { plan, payment } of sessions) {
    if (payment && ledger.repeats.has(plan.sessionId) && payment.possibleDuplicateOf === undefined)
      world.violate("a possible duplicate without its mark", plan.sessionId);
    for (const named of [payment?.possibleDuplicateOf ?? [], ...plan.known.duplicates].flat()) {
      const other = sessions.find((s) => s.plan.sessionId === named)?.plan;
      const isOwn = other?.partnerId === plan.partnerId && other !== plan && keyOf(other) === keyOf(plan);
      if (!isOwn) world.violate("a duplicate that is none of the partner's own", `${plan.sessionId}: ${named}`);
    }
  }
  if (ending !== "quiet") return;
  for (const plan of new Map(sessions.map(({ plan }) => [keyOf(plan), plan])).values())
    await checkList(world, sessions, ports, plan);
}

const keyOf = ({ request }: Plan): string => JSON.stringify(orderOf(request) ?? null);

/** The list of one plan's order. */
async function checkList(
  world: World,
  sessions: readonly Session[],
  { orders }: Platform["ports"],
  { request }: Plan,
): Promise<void> {
  const key = orderOf(request);
  for (const holder of (key && (await orders.find(key)))?.holders ?? []) {
    const payment = sessions.find(({ plan }) => plan.sessionId === holder.sessionId)?.payment;
    if (!payment || !holdsOrder(payment)) world.violate("an order is not given back", holder.sessionId);
    else if (!holder.approvedAt && !holdsTerminal(payment.status))
      world.violate("an order's list takes a payment for living", holder.sessionId);
  }
}
