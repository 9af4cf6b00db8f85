import type { Booking } from "../../../shared/domain/booking.ts";
import type { Totals } from "../../../shared/domain/terminal-day/totals.ts";

type Counted = Pick<Booking, "kind" | "currency" | "amount"> & { readonly count?: number };

/**
 * Kept charges and refunds, counted and summed by currency, as a text that can be compared. It is independent of the product's own code.
 */
export function sumsOf(moves: readonly Counted[]): string {
  const sums: Record<string, [count: number, amount: number]> = {};
  for (const { kind, currency, amount, count = 1 } of moves) add(sums, `${currency} ${kind}`, [count, amount]);
  return shown(sums);
}

export function sumsOfTotals(totals: Totals): string {
  const sums: Record<string, [count: number, amount: number]> = {};
  for (const { currency, ...counted } of totals)
    for (const [kind, { count, amount }] of Object.entries(counted)) add(sums, `${currency} ${kind}`, [count, amount]);
  return shown(sums);
}

/** A reversal reduces the captures. */
function add(
  sums: Record<string, [count: number, amount: number]>,
  of: string,
  [count, amount]: [number, number],
): void {
  const name = of.replace("reversal", "capture");
  const sign = name === of ? 1 : -1;
  const [counted, summed] = sums[name] ?? [0, 0];
  sums[name] = [counted + sign * count, summed + sign * amount];
}

const shown = (sums: Readonly<Record<string, readonly [number, number]>>): string =>
  Object.entries(sums)
    .filter(([, [count, amount]]) => count !== 0 || amount !== 0)
    .map(([name, [count, amount]]) => `${name} ${count} ${amount}`)
    .toSorted()
    .join();

/**
 * The bookings as a terminal counts them: its own, and the corrections whose day an operator named. Another amount of a booked movement is
 * not a second movement.
 */
export const countedOf = (bookings: readonly Booking[]): Counted[] =>
  bookings.flatMap(({ kind, counted, direction, currency, amount }): Counted[] => {
    if (!counted) return kind === "correction" ? [] : [{ kind, currency, amount }];
    const isUsual = (counted.kind === "capture") === (direction === "credit");
    return [{ ...counted, currency, amount: isUsual ? amount : -amount }];
  });
