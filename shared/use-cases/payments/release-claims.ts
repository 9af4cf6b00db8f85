import { holdsOrder, holdsTerminal } from "../../domain/payment/payment.ts";
import type { Orders } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import type { Terminals } from "../../ports/terminals.ts";
import { isSame } from "./find-duplicate.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface ReleaseClaimsDeps {
  readonly payments: Payments;
  readonly terminals: Terminals;
  readonly orders: Orders;
}

/** Gives back what a payment no longer holds: its terminal and its order. */
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
  if (claim && isSame(claim, payment) && !holdsTerminal(payment.status)) {
    await deps.terminals.releaseClaim(payment.terminalId, claim);
  }
  if (orderKey && order?.holders.some((h) => isSame(h, payment)) && !holdsOrder(payment)) {
    const others = order.holders.filter((h) => !isSame(h, payment));
    await deps.orders.save(orderKey, others, order);
  }
  return "done";
}
