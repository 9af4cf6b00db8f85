import { holdsOrder, holdsTerminal, type Payment } from "./payment.ts";

/** A request as far as the double-charge guard looks at it. */
export interface OrderClaim {
  /** Integer minor units. */
  readonly amount: number;
  readonly confirmDuplicate: boolean;
  /** The merchant wants an order paid at most once. */
  readonly strictOrder: boolean;
}

/** Another payment of the same order and amount; one that blocks refuses the request, another only marks it. */
export interface Duplicate {
  readonly blocks: boolean;
  /** As its partner spells it. */
  readonly sessionId: string;
}

/**
 * The double-charge guard: another session of the same order and amount that may still charge, or has. It blocks while the
 * other is living or in doubt, and, where the merchant is strict, also once it is approved.
 *
 * @param others the order's other sessions of the same amount
 */
export function duplicateAmong(others: readonly Payment[], { strictOrder }: OrderClaim): Duplicate | undefined {
  const holders = others.filter(holdsOrder);
  const blocking = holders.find((p) => strictOrder || holdsTerminal(p.status));
  const other = blocking ?? holders[0];
  return other && { blocks: blocking !== undefined, sessionId: other.spelled.sessionId };
}
