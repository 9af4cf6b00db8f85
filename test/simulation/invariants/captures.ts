import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** A captured amount was requested, or is the whole charge. The exceptions are a raised alert and an operator's resolution. */
export function checkCaptures(world: World, { plan, payment, history }: Session): void {
  if (payment?.status !== "captured" || payment.captureMode === "automatic") return;
  const capture = history.findLast((h) => h.event === "captured" && !h.recordedOnly);
  if (!capture || capture.alerts?.length || history.some(({ by }) => by === "operator")) return;
  const { captured, authorized } = payment.amounts;
  const requested = plan.known.captures.map((amount) => amount ?? authorized);
  if (!requested.includes(captured))
    world.violate(
      "captured another amount than requested",
      `${plan.sessionId}: ${captured} of ${requested.join(" or ")}`,
    );
}
