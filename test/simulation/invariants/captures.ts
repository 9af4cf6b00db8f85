import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** What is captured was asked for, or is all that the card was charged: where no operator was called for it or resolved it. */
export function checkCaptures(world: World, { plan, payment, history }: Session): void {
  if (payment?.status !== "captured" || payment.captureMode === "automatic") return;
  const capture = history.findLast((h) => h.event === "captured" && !h.recordedOnly);
  if (!capture || capture.alerts?.length || history.some(({ by }) => by === "operator")) return;
  const { captured, authorized } = payment.amounts;
  const asked = plan.known.captures.map((amount) => amount ?? authorized);
  if (!asked.includes(captured))
    world.violate("captured another amount than was asked", `${plan.sessionId}: ${captured} of ${asked.join(" or ")}`);
}
