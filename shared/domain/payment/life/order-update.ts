import type { Effect } from "../../effects.ts";
import { orderHold, orderOf } from "../record/order.ts";
import { holdsTerminal, type Payment } from "../record/payment.ts";

/**
 * The effect that updates the order's list if a change alters how the payment holds the order. It is left out while the payment holds its
 * terminal, as it does until nearly every end. The next duplicate check reads the payments that the list has as living, so it sees the end.
 */
export function orderUpdates(
  before: Payment,
  next: Payment,
): readonly Extract<Effect<"payment">, { readonly kind: "orderUpdate" }>[] {
  if (holdsTerminal(before.status)) return [];
  return orderOf(next) !== undefined && orderHold(before) !== orderHold(next) ? [{ kind: "orderUpdate" }] : [];
}
