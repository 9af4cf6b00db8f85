import type { Effect } from "../../effects.ts";
import type { Instant } from "../../time.ts";
import type { Actor } from "../record/events.ts";
import { holdsTerminal, type Payment, type PaymentState } from "../record/payment.ts";

/** Once the payment no longer holds the terminal, an unanswered discount counts as refused. A discount in doubt stays open. */
export const closedDiscounts = (
  discounts: Payment["discounts"],
  to: PaymentState,
  now: Instant,
): Payment["discounts"] =>
  holdsTerminal(to)
    ? discounts
    : discounts.map((d) =>
        d.status === "requested" && d.statusReason === undefined ? { ...d, status: "refused", updatedAt: now } : d,
      );

/**
 * A webhook for each discount that this step concluded, or applied after its payment's end refused it. If its partner cancels the payment,
 * the event of the cancel shows that its discounts are refused.
 */
export function concludedDiscounts(before: Payment, next: Payment, by: Actor): Effect<"payment">[] {
  if (by === "partner") return [];
  const earlier = new Map(before.discounts.map(({ discountId, status }) => [discountId, status]));
  return next.discounts
    .filter((d) => d.status !== "requested" && d.status !== earlier.get(d.discountId))
    .map((d) => ({ kind: "webhook", type: `discount.${d.status}`, about: d.discountId }));
}
