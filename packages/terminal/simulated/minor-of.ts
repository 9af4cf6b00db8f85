import { MAX_SUM, toMinorUnits } from "../../../shared/domain/money.ts";

/** A terminal's amount or sum in minor units. Throws if it is not an amount of the currency. */
export function minorOf(amount: number, currency: string): number {
  const minor = toMinorUnits(amount, currency, MAX_SUM);
  if (!minor.ok) throw new Error(`A terminal counts an invalid amount: ${amount} ${currency} (${minor.error}).`);
  return minor.value;
}
