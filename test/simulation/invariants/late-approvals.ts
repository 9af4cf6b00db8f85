import { after } from "../../../shared/domain/time.ts";
import type { Ages } from "../actors/ages.ts";
import { instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * An approval that arrives late counts if its terminal truly says that it happened before `expiresAt`, and the partner has not cancelled.
 * Every other one is given back. Not judged: payments whose partner keeps late approvals, and those that were restored.
 */
export function checkLateApprovals(world: World, { plan, payment, history }: Session, ages: Ages | undefined): void {
  if (!payment || plan.request.lateApproval === "keep" || history.some(({ event }) => event === "restored")) return;
  const isTrueTime = world.faultPlan.wrongestClock === 0;
  for (const [i, { event, from, to, at, agoMs, said, recordedOnly }] of history.entries()) {
    if (event !== "authorized" || recordedOnly || (from !== "cancelRequested" && from !== "reconciling")) continue;
    const approvedAt = ages?.approvedAt.get(said?.chargeId ?? "");
    const isSaid = ages?.areTrue === true && agoMs !== undefined && approvedAt !== undefined;
    const mayCount = isSaid && !history.slice(0, i).some((h) => h.event === "cancel" && h.by === "partner");
    const isLate = isSaid && isTrueTime && instantAt(approvedAt) >= payment.expiresAt;
    const isInTime = mayCount && after(at, -agoMs / 1000) < payment.expiresAt;
    const counts = to !== "voidRequested";
    if (isInTime) world.faultPlan.meet("an approval in time was reported late");
    if (counts && (!mayCount || isLate)) world.violate("a late approval was not given back", plan.sessionId);
    if (!counts && isInTime) world.violate("an approval in time was given back", plan.sessionId);
  }
}
