import { isFinal } from "../../../shared/domain/payment/payment.ts";
import type { Excuses } from "./excuses.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./look.ts";

/** What partners were told holds: acknowledged is there and ends, refused is not there, cancelled is taken back. */
export function checkPromises(
  world: World,
  session: Session,
  { excuses, ending }: { readonly excuses: Excuses; readonly ending: Ending },
): void {
  const { plan, payment, history } = session;
  const { known, request } = plan;
  const at = `${plan.sessionId} (${payment?.status ?? "absent"})`;
  if (known.acknowledged && !payment) world.violate("acknowledged, and lost", at);
  if (known.ruledOut && payment) world.violate("ruled out by a 404, and there all the same", at);
  if (!known.acknowledged && !known.inDoubt && payment) world.violate("refused every time, and there", at);
  if (!payment) return;

  // Nothing is queued any more: what has not ended never does, and an operator must know.
  const isAlertedAt = (event: string) => history.some((h) => h.alerts && h.event === event);
  const isInDoubt = isAlertedAt("doubtOverdue");
  if (ending === "quiet" && payment.status === "reconciling" && !isInDoubt)
    world.violate("a doubt that nobody hears of", at);
  const isGivingBack = payment.charges.some((c) => c.status === "reversing" || c.status === "reversalFailed");
  const isAlerted = isGivingBack ? isAlertedAt("reversalFailed") : isInDoubt;
  if (!isFinal(payment.status)) excuses.judge(session, { rule: "never ends", isAlerted });
  if (payment.refunds.some((r) => r.status === "pending"))
    excuses.judge(session, { rule: "a refund never ends", isAlerted: isInDoubt });

  const cancelledAt = history.findIndex((h) => h.event === "cancel" && h.by === "partner");
  const kept = history
    .slice(cancelledAt)
    .some((h) => h.event === "authorized" && !h.recordedOnly && h.to !== "voidRequested");
  if (known.cancelled && cancelledAt >= 0 && kept && request.lateApproval === "void") {
    world.violate("cancelled, and a card that was charged later was not taken back", at);
  }
}
