import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Responses to partners hold: an acknowledged payment exists, a refused payment does not, and a cancelled payment is given back. */
export function checkPromises(world: World, { plan, payment, history }: Session): void {
  const { known, request } = plan;
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  if (known.acknowledged && !payment) world.violate("acknowledged, but missing", at);
  if (known.ruledOut && payment) world.violate("a session exists after its 404", at);
  if (!known.acknowledged && !known.inDoubt && payment) world.violate("refused every time, but stored", at);
  if (!payment) return;

  const cancelledAt = history.findIndex((h) => h.event === "cancel" && h.by === "partner");
  const kept = history
    .slice(cancelledAt)
    // From `authorized` to itself: the terminal of a restored payment confirms the state in the books.
    .some((h) => h.event === "authorized" && !h.recordedOnly && h.to !== "voidRequested" && h.from !== h.to);
  if (known.cancelled && cancelledAt >= 0 && kept && request.lateApproval === "void") {
    world.violate("cancelled, but a later charge was not given back", at);
  }
}
