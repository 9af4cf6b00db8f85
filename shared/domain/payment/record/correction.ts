import * as z from "zod";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { day } from "../../time.ts";

/**
 * Money that an operator recorded, in minor units. Positive amounts go to the merchant. The correction stands until another resolution
 * removes it, or until the terminal reports the same money.
 */
export const correctionRecord = z.object({
  amount: minorUnits,
  /** The part of the amount that is tip. Absent if there is none. */
  tip: minorUnits.optional(),
  /** The day on which the terminal counted the money. Only a correction with a day counts in the comparison of that day. */
  businessDay: day.optional(),
});
export interface Correction extends RecordOf<typeof correctionRecord> {}
