import type { Random } from "../../support/seeded-random.ts";
import { partOf, toMajor } from "./prices.ts";
import { voucherId } from "./voucher.ts";

/** The discount that a partner requests: the voucher, an amount in minor units, or a percentage. */
export type Off = "voucher" | { readonly amount: number } | { readonly percent: number };

/** One request for a discount, and whether it was accepted. */
export interface DiscountAsk {
  readonly discountId: string;
  readonly off: Off;
  isAccepted: boolean;
}

export const drawOff = (random: Random, { request: { amount } }: { readonly request: { readonly amount: number } }) =>
  random.chance(0.6)
    ? "voucher"
    : random.pick<Off>({ amount: partOf(amount, 0.05) }, { amount: partOf(amount, 0.9) }, { percent: 33.33 });

/** The members of the request. */
export function requestMembers(off: Off, currency: string) {
  if (off === "voucher") return { voucherCode: voucherId };
  return "amount" in off ? { discountAmount: toMajor(off.amount, currency) } : { discountPercent: off.percent };
}
