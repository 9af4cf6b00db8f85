import { holdsOrder, holdsTerminal } from "../../domain/payment/payment.ts";
import type { OrderHolder } from "../../ports/orders.ts";
import type { Payments } from "../../ports/payments.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

/** A request as far as the double-charge guard looks at it. */
export interface OrderClaim {
  /** Integer minor units. */
  readonly amount: number;
  readonly confirmDuplicate: boolean;
  readonly strictOrder: boolean;
}

/**
 * The double-charge guard: another session of the same order and amount that may still charge, or has. It blocks while the
 * other is living or in doubt, and, where the merchant is strict, also once it is approved; otherwise it is only told.
 */
export async function findDuplicate(
  payments: Payments,
  own: PaymentKey,
  claim: OrderClaim,
  holders: readonly OrderHolder[],
): Promise<{ blocks: boolean; sessionId: string } | undefined> {
  if (claim.confirmDuplicate) return undefined;
  const same = holders.filter((h) => h.amount === claim.amount && !isSame(h, own));
  const found = await Promise.all(same.map((holder) => payments.find(holder)));
  const others = found.flatMap((s) => (s && holdsOrder(s.payment) ? [s.payment] : []));
  const blocking = others.find((p) => claim.strictOrder || holdsTerminal(p.status));
  const other = blocking ?? others[0];
  return other && { blocks: blocking !== undefined, sessionId: other.spelled.sessionId };
}

export const isSame = (one: PaymentKey, other: PaymentKey): boolean =>
  one.partnerId === other.partnerId && one.sessionId === other.sessionId;
