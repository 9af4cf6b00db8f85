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
 * The order of a payment or of a request. Undefined if it names none. A blank reference names none: callers without orders send it, and it
 * would make one order of all their customers.
 */
export function orderOf(ordered: Ordered): OrderKey | undefined {
  const { merchantId, currency, references } = ordered;
  const orderId = references?.orderId;
  if (orderId === undefined || orderId.trim() === "") return undefined;
  return { merchantId, orderId, currency, amount: "amounts" in ordered ? ordered.amounts.requested : ordered.amount };
}

/**
 * How a payment holds its order. `living`: it may still charge a card. `approved`: the merchant has its money, or may have it.
 * `givingBack`: it has ended, and one of its charges is being reversed.
 */
export const orderHolds = ["living", "approved", "givingBack"] as const;
export type OrderHold = (typeof orderHolds)[number];

/**
 * How a payment holds its order now. Undefined if it does not. Money that the merchant has holds the order in any state of the payment. An
 * ended payment holds the order again if a charge is reported later. A charge that is in doubt, or could not be reversed, also holds it. No
 * refund of another charge offsets such a charge.
 */
export function orderHold(payment: Payment): OrderHold | undefined {
  const { status, charges } = payment;
  if (holdsTerminal(status)) return "living";
  if (!isFinal(status)) return "approved";
  if (holdsMoney(payment)) return "approved";
  if (charges.some((charge) => charge.status === "reversalFailed" || charge.status === "inDoubt")) return "approved";
  return charges.some((charge) => charge.status === "reversing") ? "givingBack" : undefined;
}
