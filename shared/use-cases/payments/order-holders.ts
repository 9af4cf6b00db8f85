import {
  asHolder,
  corrected,
  isOther,
  longestLiving,
  newestRival,
  holdersAfter,
  withNewcomer,
  type Holders,
} from "../../domain/payment/requests/duplicate.ts";
import { orderHold, orderOf, type OrderKey } from "../../domain/payment/record/order.ts";
import type { Payment, StatusReason } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Orders, StoredOrder } from "../../stores/orders.ts";
import type { Payments, StoredPayment } from "../../stores/payments.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { checkDuplicate, readHolders, type CheckDuplicateDeps } from "./check-duplicate.ts";
import type { Needs } from "../needs.ts";

export type TakeOrderDeps = CheckDuplicateDeps & Needs<"orders">;

/** The order's decision on a payment: why it is refused, or the session that it may repeat. */
export interface AtOrder {
  readonly rejection?: StatusReason;
  readonly possibleDuplicateOf?: string | undefined;
}

/**
 * Enters a payment in its order's list, unless another payment of the list blocks it. Every write prunes the list. If the list is full, the
 * payment is still admitted, and marked, so that an order in constant use does not stop sales. Throws `Conflict`.
 */
export async function takeOrder(deps: TakeOrderDeps, stored: StoredPayment, now: Instant): Promise<AtOrder> {
  const { payment, etag } = stored;
  const key = orderOf(payment);
  if (!key) return {};
  const order = await deps.orders.find(key);
  // The list is read before the payment. If the payment ends after this read, its end writes the list, and the save below fails.
  const [{ holders, duplicate }, latest] = await Promise.all([
    checkDuplicate(deps, payment, order, now),
    deps.payments.find(payment),
  ]);
  if (latest?.etag !== etag) throw new Conflict("the payment changed while its order was read");
  if (duplicate?.blocks) return { rejection: "possibleDuplicate" };
  const entered = await enter(deps.payments, holders, payment);
  await saveChanged(deps.orders, key, entered ?? holders, order);
  return { possibleDuplicateOf: duplicate?.sessionId ?? (entered ? undefined : newestRival(holders, payment)) };
}

/**
 * The list with the payment; undefined if there is no room. If a full list has only living payments, some of them are read, since an update
 * may be lost.
 */
async function enter(payments: Payments, holders: Holders, payment: Payment): Promise<Holders | undefined> {
  const newcomer = asHolder(payment, "living");
  const entered = withNewcomer(holders, newcomer);
  if (entered) return entered;
  return withNewcomer(corrected(holders, await readHolders(payments, longestLiving(holders))), newcomer);
}

async function saveChanged(
  orders: Orders,
  key: OrderKey,
  next: Holders,
  order: StoredOrder | undefined,
): Promise<void> {
  if (isOther(next, order?.holders ?? [])) await orders.save(key, next, order);
}

export interface UpdateOrderDeps extends Pick<TakeOrderDeps, "orders"> {
  readonly payments: Pick<Payments, "find">;
}

/**
 * Updates how a payment holds its order. The list is read before the payment. If the payment changes after that, its own update writes the
 * list, and the save here fails.
 *
 * If the payment no longer holds its order, the list is written even if nothing in it changes. So a slow write that enters the payment
 * fails after this. Throws `Conflict`.
 */
export async function updateOrder({ orders, payments }: UpdateOrderDeps, session: PaymentKey): Promise<"done"> {
  const payment = (await payments.find(session))?.payment;
  const key = payment && orderOf(payment);
  if (!key) return "done";
  const order = await orders.find(key);
  const before = order?.holders ?? [];
  const latest = (await payments.find(session))?.payment ?? payment;
  const holders = holdersAfter(before, latest);
  if (orderHold(latest) === undefined || isOther(holders, before)) await orders.save(key, holders, order);
  return "done";
}

/**
 * Sets how a restored payment holds its order. The payment is entered even if it was never admitted, because its terminal may have got it
 * since the export. It is left out if its money was given back, because after a failover the order may be older than the payment. Throws
 * `Conflict`.
 */
export async function restoreOrder({ orders, payments }: UpdateOrderDeps, session: PaymentKey): Promise<"done"> {
  const payment = (await payments.find(session))?.payment;
  const key = payment && orderOf(payment);
  if (!key) return "done";
  const order = await orders.find(key);
  const known = holdersAfter(order?.holders ?? [], payment);
  const hold = orderHold(payment);
  const entered = hold && withNewcomer(known, asHolder(payment, hold));
  await saveChanged(orders, key, entered ?? known, order);
  return "done";
}
