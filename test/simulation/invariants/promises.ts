import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** What partners were told holds: acknowledged is there, refused is not there, cancelled is taken back. */
export function checkPromises(world: World, { plan, payment, history }: Session): void {
  const { known, request } = plan;
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  if (known.acknowledged && !payment) world.violate("acknowledged, and lost", at);
  if (known.ruledOut && payment) world.violate("ruled out by a 404, and there all the same", at);
  if (!known.acknowledged && !known.inDoubt && payment) world.violate("refused every time, and there", at);
  if (!payment) return;

  const cancelledAt = history.findIndex((h) => h.event === "cancel" && h.by === "partner");
  const kept = history
    .slice(cancelledAt)
    .some((h) => h.event === "authorized" && !h.recordedOnly && h.to !== "voidRequested");
  if (known.cancelled && cancelledAt >= 0 && kept && request.lateApproval === "void") {
    world.violate("cancelled, and a card that was charged later was not taken back", at);
  }
}
