import { orderOf } from "../../../shared/domain/payment/duplicate.ts";
import { holdsOrder, holdsTerminal } from "../../../shared/domain/payment/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/**
 * Orders are given back: when all is quiet no order's list holds a session that no longer matters, and of every other it is known whether
 * it is approved. A session that repeats what another was charged for carries its mark, whichever of request and worker saw it.
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
  }
  if (ending !== "quiet") return;
  const [key] = sessions.flatMap(({ plan }) => orderOf(plan.request) ?? []);
  for (const holder of (key && (await ports.orders.find(key)))?.holders ?? []) {
    const payment = sessions.find(({ plan }) => plan.sessionId === holder.sessionId)?.payment;
    if (!payment || !holdsOrder(payment)) world.violate("an order is not given back", holder.sessionId);
    else if (!holder.approvedAt && !holdsTerminal(payment.status))
      world.violate("an order's list takes a payment for living", holder.sessionId);
  }
}
