import { FAULTS_END, HOUR, LAST_PAYMENT, USUAL_LENGTH } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Cast } from "./cast.ts";
import type { Keys } from "./keys.ts";
import type { Partner } from "./partner.ts";
import { createPlan, type Plan } from "./plan.ts";

/**
 * The payments in the weeks of a long world. There are a few, each with all its possible consequences, and refunds of payments from weeks
 * ago. Each has its own order, because a merchant that is not strict may repeat an order after a week.
 */
export function startLateLife(
  world: World,
  partner: Partner,
  { terminals, prices, plans, keys }: Cast & { readonly plans: Plan[]; readonly keys: Keys },
): void {
  if (world.end <= USUAL_LENGTH) return;
  const fate = world.fateOf("the weeks of a long world");
  const { agenda } = world;
  for (let i = fate.between(2, 5); i > 0; i--) {
    const terminal = fate.pick(...terminals);
    const plan = createPlan(world, {
      sessionId: `week${i}`,
      terminal,
      price: fate.pick(...prices),
      orderId: undefined,
      idempotencyKey: keys.ofSale(terminal.partnerId),
    });
    agenda.after(fate.between(USUAL_LENGTH, Math.min(LAST_PAYMENT, world.end - USUAL_LENGTH)), () => {
      plans.push(plan);
      partner.carryThrough(plan);
    });
  }
  for (const plan of plans.filter(() => fate.chance(0.5)))
    agenda.after(fate.between(FAULTS_END + HOUR, world.end - USUAL_LENGTH), () => void partner.refundLate(plan));
}
