import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Counts the contradictions of terminals about money, by what the terminal reported and what came of it. */
export function countContradictions(world: World, { history }: Session): void {
  for (const { by, event, from, to, alerts = [] } of history) {
    const isOfMoney = event === "captured" || event === "voided" || event === "refunded";
    if (by === "terminal" && isOfMoney && alerts.some(({ kind }) => kind === "contradictingReport"))
      world.faultPlan.meet(`contradiction: ${event}, ${from} to ${to}`);
  }
}
