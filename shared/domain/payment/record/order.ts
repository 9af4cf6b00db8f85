import { holdsMoney } from "./kept-money.ts";
import { holdsTerminal, isFinal, type Payment } from "./payment.ts";

/** The key of one order in the duplicate check: the merchant's reference, and the amount to pay. */
export interface OrderKey {
  readonly merchantId: string;
  readonly orderId: string;
  readonly currency: string;
  /** Integer minor units. */
  readonly amount: number;
}

type Ordered = Pick<Payment, "merchantId" | "currency" | "references"> &
  (Pick<Payment, "amounts"> | { readonly amount: number });

/**
 * The order of a payment or of a request; undefined where it names none. A blank reference names none: callers without orders send it, and
 * it would make one order of all their customers.
 */
export function orderOf(ordered: Ordered): OrderKey | undefined {
  const { merchantId, currency, references } = ordered;
  const orderId = references?.orderId;
  if (orderId === undefined || orderId.trim() === "") return undefined;
  return { merchantId, orderId, currency, amount: "amounts" in ordered ? ordered.amounts.requested : ordered.amount };
}

/**
 * How a payment holds its order. `living`: it may still charge a card. `approved`: the merchant has money of it, or may have. `givingBack`:
 * it has ended, and one of its charges is being reversed.
 */
export const orderHolds = ["living", "approved", "givingBack"] as const;
export type OrderHold = (typeof orderHolds)[number];

/**
 * How a payment holds its order now; undefined where it does not. Money that the merchant has holds the order in any state of the payment.
 * A payment that has ended holds it again by a charge that is reported later, and by a charge that is in doubt or could not be reversed, which no
 * refund of another charge offsets.
 */
export function orderHold(payment: Payment): OrderHold | undefined {
  const { status, charges } = payment;
  if (holdsTerminal(status)) return "living";
  if (!isFinal(status)) return "approved";
  if (holdsMoney(payment)) return "approved";
  if (charges.some((charge) => charge.status === "reversalFailed" || charge.status === "inDoubt")) return "approved";
  return charges.some((charge) => charge.status === "reversing") ? "givingBack" : undefined;
}
