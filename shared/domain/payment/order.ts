import { holdsMoney } from "./kept-money.ts";
import { holdsTerminal, isFinal, type Payment } from "./payment.ts";

/** What the duplicate check takes for one order: the merchant's reference, and what is to be paid. */
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
 * The order of a payment or of a request for one; undefined where it names none. A blank reference names none: callers that have no
 * order send it, and it would make one order of all their customers.
 */
export function orderOf(ordered: Ordered): OrderKey | undefined {
  const { merchantId, currency, references } = ordered;
  const orderId = references?.orderId;
  if (orderId === undefined || orderId.trim() === "") return undefined;
  return { merchantId, orderId, currency, amount: "amounts" in ordered ? ordered.amounts.requested : ordered.amount };
}

/**
 * How a payment holds its order. `living`: it may still charge a card. `approved`: the merchant has money of it, or may have. `givingBack`:
 * it is over, and a charge of it is on its way back.
 */
export const orderHolds = ["living", "approved", "givingBack"] as const;
export type OrderHold = (typeof orderHolds)[number];

/**
 * How a payment holds its order now; undefined where it does not. Money that the merchant has holds it, whatever the payment's state. A payment that is over holds it again by a charge that comes after its
 * end, and by one that could not be given back, which no refund of another charge makes up for.
 */
export function orderHold(payment: Payment): OrderHold | undefined {
  const { status, charges } = payment;
  if (holdsTerminal(status)) return "living";
  if (!isFinal(status)) return "approved";
  if (holdsMoney(payment)) return "approved";
  if (charges.some((charge) => charge.status === "reversalFailed")) return "approved";
  return charges.some((charge) => charge.status === "reversing") ? "givingBack" : undefined;
}
