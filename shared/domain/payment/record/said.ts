import * as z from "zod";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { reportTypes } from "./events.ts";

/** A report's statement about money. The amount is in minor units of the currency. */
export const saidRecord = z.object({
  type: z.enum(reportTypes),
  chargeId: z.string().optional(),
  refundId: z.string().optional(),
  amount: minorUnits.optional(),
  currency: z.string().optional(),
  tipAmount: minorUnits.optional(),
});
export interface Said extends RecordOf<typeof saidRecord> {}

/** The report's statement about money, without its other members. */
export const saidBy = ({ type, chargeId, refundId, amount, currency, tipAmount }: Said): Said => ({
  type,
  chargeId,
  refundId,
  amount,
  currency,
  tipAmount,
});

/** The members in which two reports with one identifier differ. */
export const differing = (one: Said, other: Said): readonly (keyof Said)[] =>
  saidRecord.keyof().options.filter((member) => one[member] !== other[member]);
