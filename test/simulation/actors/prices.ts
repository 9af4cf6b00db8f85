import type { Random } from "../../support/seeded-random.ts";

/** The price of a payment, in integer minor units. */
export interface Price {
  readonly currency: string;
  readonly amount: number;
}

/** ISO 4217, written separately from the product's own table. */
const decimals: Readonly<Record<string, number>> = { SEK: 2, EUR: 2, JPY: 0, BHD: 3 };

/** Minor units as an amount in the currency's major unit, as in the APIs. */
export const toMajor = (amount: number, currency: string): number => {
  const digits = decimals[currency] ?? 2;
  return Number((amount / 10 ** digits).toFixed(digits));
};

/** Draws prices. Most payments of a world cost the same, because only equal payments share an order. The first price is the usual one. */
export function drawPrices(random: Random): readonly [Price, ...Price[]] {
  const price = (): Price => ({
    currency: random.pick("SEK", "SEK", "JPY", "BHD"),
    amount: random.pick(12_550, 12_550, 990, 7, 1),
  });
  const usual = price();
  return random.chance(0.7) ? [usual] : [usual, usual, price()];
}

/** A part of an amount, in whole minor units, at least one. */
export const partOf = (amount: number, part: number): number => Math.max(1, Math.floor(amount * part));
