import { isFinal, type PaymentState } from "../../../shared/domain/payment/payment.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** States in which a payment may stay whose terminal is silent for ever; its commands may have reached a card. */
const unknowable: ReadonlySet<PaymentState> = new Set([
  "reconciling",
  "authorized",
  "captureRequested",
  "voidRequested",
]);

/** What partners were told holds: acknowledged is there and ends, refused is not there, cancelled is taken back. */
export function checkPromises(world: World, { plan, payment, history }: Session, terminalDiesForEver: boolean): void {
  const { known, request } = plan;
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  if (known.acknowledged && !payment) world.violate("acknowledged, and lost", at);
  if (known.ruledOut && payment) world.violate("ruled out by a 404, and there all the same", at);
  if (!known.acknowledged && !known.inDoubt && payment) world.violate("refused every time, and there", at);
  if (!payment) return;

  if (!isFinal(payment.status) && !(terminalDiesForEver && unknowable.has(payment.status))) {
    world.violate("never ends", at);
  }
  if (!terminalDiesForEver && payment.refunds.some((r) => r.status === "pending"))
    world.violate("a refund never ends", at);

  const cancelledAt = history.findIndex((h) => h.event === "cancel" && h.by === "partner");
  const kept = history
    .slice(cancelledAt)
    .some((h) => h.event === "authorized" && !h.recordedOnly && h.to !== "voidRequested");
  if (known.cancelled && cancelledAt >= 0 && kept && request.lateApproval === "void") {
    world.violate("cancelled, and a card that was charged later was not taken back", at);
  }
}
