import type { PaymentDetail } from "../../../views/payments.ts";
import { moneyText } from "../../text.ts";
import { wordsOf } from "../../words.ts";

/** The use of a spent code as a sentence, and whether the code may be spent again. */
interface CodeStanding {
  readonly sentence: string;
  readonly mayBeSpent: boolean;
}

/** The payment decides about its voucher. If it is not known whether it took the voucher, the platform decides at the next press. */
export function standingOfCode(payment: PaymentDetail, discountId: string): CodeStanding {
  const { status, amount, currency } = payment;
  const discount = payment.discounts.find((one) => one.discountId === discountId);
  const { isFinal, label } = wordsOf(status);
  const free = (sentence: string): CodeStanding => ({ sentence, mayBeSpent: true });
  const held = (sentence: string): CodeStanding => ({ sentence, mayBeSpent: false });
  if (!discount) return free("The payment does not name the voucher.");
  const off = moneyText(discount.amount, currency);
  if (discount.status === "refused") return free(`The terminal did not take ${off} off.`);
  if (discount.status !== "applied")
    return isFinal
      ? free(`The payment is ${label}. It is not known here whether ${off} was taken off.`)
      : held(`The voucher is sent to the terminal, which has not taken ${off} off yet.`);
  if (isFinal && status !== "captured") return free(`The payment is ${label}, and did not use the voucher.`);
  const sums = `${off} off, now ${moneyText(amount, currency)}.`;
  return held(isFinal ? `The voucher was used: ${sums}` : `${sums} The payment holds the voucher until it ends.`);
}
