import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { isSameButForLost } from "../../../shared/domain/payment/operator/restore.ts";
import { toMajor } from "../actors/prices.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * The facts that responses and events showed the partner are true in the end. Each had the payment's state at its change, and its amounts
 * are those in the books. The latest has the present state, unless the partner itself changed it since without getting the response.
 */
export function checkPartnerView(world: World, { plan, payment, history, events }: Session): void {
  const { sessionId, known } = plan;
  const shown = [...known.shown, ...[...events.values()].map(({ sequence, data }) => ({ sequence, ...data }))];
  if (!payment) {
    if (shown.length > 0) world.violate("responses or webhooks of a missing payment", sessionId);
    return;
  }
  for (const { sequence, status, amounts, refunds } of shown) {
    const entry = history.findLast((h) => h.sequence <= sequence && isSameButForLost(sequence, h.sequence)); // an ended entry still counts
    if (entry?.to !== status)
      world.violate("a response or webhook with a state that never existed", `${sessionId} ${sequence}: ${status}`);
    if (amounts.requested !== toMajor(payment.amounts.requested, payment.currency))
      world.violate("a response or webhook with a wrong amount", `${sessionId} ${sequence}: ${amounts.requested}`);
    const made = refunds.reduce((sum, r) => sum + (r.status === "succeeded" ? r.refundAmount : 0), 0);
    if (Math.abs(made - amounts.refunded) > 0.0001)
      world.violate(
        "a response or webhook with a wrong refunded amount",
        `${sessionId} ${sequence}: ${amounts.refunded}`,
      );
  }
  const last = shown.reduce<Shown>(newer, { sequence: 0, status: "", amounts: undefined });
  const since = history.filter((h) => h.sequence > last.sequence);
  if (since.some((h) => h.from !== h.to && h.by !== "partner"))
    world.violate("no response or webhook with the end", sessionId);
  if (since.length === 0 && !isOfBooks(payment, last.amounts))
    world.violate("the last response or webhook has wrong amounts", sessionId);
}

interface ShownAmounts {
  readonly captured: number;
  readonly refunded: number;
}
interface Shown {
  readonly sequence: number;
  readonly status: string;
  readonly amounts: ShownAmounts | undefined;
}

const newer = (one: Shown, other: Shown): Shown => (other.sequence > one.sequence ? other : one);

function isOfBooks({ amounts, refunds, currency }: Payment, shown: ShownAmounts | undefined): boolean {
  const refunded = refunds.reduce((sum, r) => sum + (r.status === "succeeded" ? (r.made ?? r.amount) : 0), 0);
  return shown?.captured === toMajor(amounts.captured, currency) && shown.refunded === toMajor(refunded, currency);
}
