import { shownMoney } from "../../../shared/domain/money.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Discount, Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";

/** The characters of an identifier that are shown, as on the live page. */
const SHORT = 8;

/** `charge of 125.50 SEK on visa ···· 4242 (8c7e3e22)`: its amount, its card if that is known, and its short identifier. */
export function chargeName(payment: Payment, charge: Charge): string {
  const card = cardText(charge);
  return named("charge", charge, { id: shortId(payment, charge.chargeId), card: card === "" ? "" : ` on ${card}` });
}

/** `refund of 20.00 SEK (5b1f0c1e)`, with the refunded amount if that is known. */
export const refundName = (payment: Payment, { refundId, amount, made = amount }: Refund): string =>
  named("refund", { amount: made, currency: payment.currency }, { id: shortId(payment, refundId) });

/** `discount of 20.00 SEK (5b1f0c1e)`. */
export const discountName = (payment: Payment, { discountId, amount }: Discount): string =>
  named("discount", { amount, currency: payment.currency }, { id: shortId(payment, discountId) });

/** The brand of a charge's card and its last digits. Empty if the terminal reported neither. */
export const cardText = ({ card }: Pick<Charge, "card">): string =>
  [card?.brand, card?.last4 && `···· ${card.last4}`].filter(Boolean).join(" ");

interface Named {
  readonly id: string;
  readonly card?: string;
}

const named = (
  what: string,
  { amount, currency }: { readonly amount: number; readonly currency: string },
  { id, card = "" }: Named,
): string => `${what} of ${shownMoney(amount, currency)}${card} (${id})`;

/** The first characters of an identifier. The whole identifier if another one of the payment begins with them. */
function shortId({ charges, refunds, discounts }: Payment, id: string): string {
  const all = [
    ...charges.map(({ chargeId }) => chargeId),
    ...refunds.map(({ refundId }) => refundId),
    ...discounts.map(({ discountId }) => discountId),
  ];
  const short = id.slice(0, SHORT);
  return all.some((other) => other !== id && other.startsWith(short)) ? id : short;
}
