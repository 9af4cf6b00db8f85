import * as z from "zod";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { day } from "../../time.ts";

/**
 * Money that is in the books by an operator's word: minor units, above zero to the merchant. It stands until another word takes it back, or
 * the terminal reports the same money.
 */
export const correctionRecord = z.object({
  amount: minorUnits,
  /** The day on which the terminal counted the money. Only a correction with a day counts in the comparison of that day. */
  businessDay: day.optional(),
});
export interface Correction extends RecordOf<typeof correctionRecord> {}
