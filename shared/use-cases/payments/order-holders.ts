import {
  asHolder,
  holdersAfter,
  isOf,
  isOther,
  withNewcomer,
  type Holders,
} from "../../domain/payment/requests/duplicate.ts";
import { orderHold, orderOf } from "../../domain/payment/record/order.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import type { Payments } from "../../stores/payments.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Needs } from "../needs.ts";

/** An order's list as a request read it, with room for the request. */
export interface OrderRoom {
  readonly room: Holders;
  readonly order: StoredOrder | undefined;
}

/** Enters a payment in its order's list, before its commit. Throws `Conflict` if the list changed since it was read. */
export async function enterOrder(
  { orders }: Needs<"orders">,
  payment: Payment,
  { room, order }: OrderRoom,
): Promise<void> {
  const key = orderOf(payment);
  if (key) await orders.save(key, [...room, asHolder(payment, "living")], order);
}

/** Takes out the entry of a payment that is certain never to be committed, so that no other request waits for it. */
export const withdrawFromOrder = ({ orders }: Needs<"orders">, payment: Payment): Promise<void> =>
  retryOnConflict(async () => {
    const key = orderOf(payment);
    const order = key && (await orders.find(key));
    const own = order?.holders.find((holder) => isOf(payment, holder));
    if (!key || !order || !own) return;
    const others = order.holders.filter((holder) => holder !== own);
    await orders.save(key, others, order);
  });

export interface UpdateOrderDeps extends Needs<"orders"> {
  readonly payments: Pick<Payments, "find">;
}

/**
 * Updates how an ended payment holds its order. The list is read before the payment. If the payment changes after that, its own update
 * writes the list, and the save here fails. The list is written even if nothing in it changes, so that a slow update of an earlier state
 * fails after this. Throws `Conflict`.
 */
export async function updateOrder({ orders, payments }: UpdateOrderDeps, session: PaymentKey): Promise<"done"> {
  const payment = (await payments.find(session))?.payment;
  const key = payment && orderOf(payment);
  if (!key) return "done";
  const order = await orders.find(key);
  const before = order?.holders ?? [];
  const latest = (await payments.find(session))?.payment ?? payment;
  await orders.save(key, holdersAfter(before, latest), order);
  return "done";
}

/**
 * Sets how a restored payment holds its order. It is left out if its money was given back, because after a failover the order may be of
 * another moment than the payment. Throws `Conflict`.
 */
export async function restoreOrder({ orders }: Needs<"orders">, payment: Payment): Promise<void> {
  const key = orderOf(payment);
  if (!key) return;
  const order = await orders.find(key);
  const known = holdersAfter(order?.holders ?? [], payment);
  const hold = orderHold(payment);
  const entered = hold && withNewcomer(known, asHolder(payment, hold));
  const next = entered ?? known;
  if (isOther(next, order?.holders ?? [])) await orders.save(key, next, order);
}
