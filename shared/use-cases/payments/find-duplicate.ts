import { duplicateAmong, type Duplicate, type OrderClaim } from "../../domain/payment/duplicate.ts";
import type { OrderHolder } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import { isSamePayment, type PaymentKey } from "../../ports/subjects.ts";

/** The double-charge guard on an order's holders, each of them read: what is stored of an order is checked, never trusted. */
export async function findDuplicate(
  payments: Payments,
  own: PaymentKey,
  claim: OrderClaim,
  holders: readonly OrderHolder[],
): Promise<Duplicate | undefined> {
  if (claim.confirmDuplicate) return undefined;
  const rivals = holders.filter((h) => h.amount === claim.amount && !isSamePayment(h, own));
  const found = await Promise.all(rivals.map((holder) => payments.find(holder)));
  return duplicateAmong(
    found.flatMap((stored) => stored?.payment ?? []),
    claim,
  );
}
