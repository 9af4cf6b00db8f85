import { holdsOrder, holdsTerminal, type Payment } from "../../domain/payment/payment.ts";
import type { OrderKey, Orders, StoredOrder } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import { isSamePayment, type PaymentKey } from "../../ports/subjects.ts";
import type { StoredClaim, Terminals } from "../../ports/terminals.ts";

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
  const orderKey = orderOf(payment);
  const [view, order] = await Promise.all([
    deps.terminals.find(payment.terminalId),
    orderKey && deps.orders.find(orderKey),
  ]);
  if (!holdsTerminal(payment.status)) await leaveTerminal(deps, payment, view?.claim);
  if (orderKey && order && !holdsOrder(payment)) await leaveOrder(deps, payment, orderKey, order);
  return "done";
}

const orderOf = ({ merchantId, references }: Payment): OrderKey | undefined =>
  references?.orderId === undefined ? undefined : { merchantId, orderId: references.orderId };

async function leaveTerminal(
  { terminals }: ReleaseClaimsDeps,
  payment: Payment,
  claim: StoredClaim | undefined,
): Promise<void> {
  if (claim && isSamePayment(claim, payment)) await terminals.releaseClaim(payment.terminalId, claim);
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
