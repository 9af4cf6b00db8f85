import type { Effect } from "../effects.ts";
import { orderHold, orderOf } from "./order.ts";
import { holdsTerminal, type Payment } from "./payment.ts";

/**
 * The effect by which its order's list is told that a payment holds the order otherwise than before. Not where the terminal itself ends what it had
 * begun, as nearly every payment ends: whoever comes next reads what the list has for living.
 */
export function orderUpdates(
  before: Payment,
  next: Payment,
  { by }: { readonly by: string },
): readonly Extract<Effect<"payment">, { readonly kind: "orderUpdate" }>[] {
  if (by === "terminal" && before.status !== "pending" && holdsTerminal(before.status)) return [];
  return orderOf(next) !== undefined && orderHold(before) !== orderHold(next) ? [{ kind: "orderUpdate" }] : [];
}
