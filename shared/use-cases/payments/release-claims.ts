import { holdsOrder, holdsTerminal, type Payment } from "../../domain/payment/payment.ts";
import type { OrderKey, Orders, StoredOrder } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import { isSamePayment, type PaymentKey } from "../../ports/subjects.ts";
import type { Terminals } from "../../ports/terminals.ts";

export interface ReleaseClaimsDeps {
  readonly payments: Payments;
  readonly terminals: Terminals;
  readonly orders: Orders;
}

/** Gives back what a payment no longer holds: its terminal and its order. Throws `Conflict`. */
export async function releaseClaims(deps: ReleaseClaimsDeps, key: PaymentKey): Promise<"done"> {
  const stored = await deps.payments.find(key);
  if (!stored) return "done";
  const { payment } = stored;
  const orderId = payment.references?.orderId;
  const orderKey = orderId === undefined ? undefined : { merchantId: payment.merchantId, orderId };
  const [view, order] = await Promise.all([
    deps.terminals.find(payment.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  const claim = view?.claim;
  if (claim && isSamePayment(claim, payment) && !holdsTerminal(payment.status)) {
    await deps.terminals.releaseClaim(payment.terminalId, claim);
  }
  if (orderKey && order && !holdsOrder(payment)) await leaveOrder(deps, payment, orderKey, order);
  return "done";
}

async function leaveOrder(
  { orders }: ReleaseClaimsDeps,
  payment: Payment,
  key: OrderKey,
  order: StoredOrder,
): Promise<void> {
  const others = order.holders.filter((h) => !isSamePayment(h, payment));
  if (others.length < order.holders.length) await orders.save(key, others, order);
}
