import * as z from "zod";
import { MAX_SUM } from "../../domain/money.ts";
import { minorUnits } from "../amount.ts";
import { businessDay, chargeID, closingID } from "../fields.ts";
import { canonical } from "../identifier.ts";
import { dayTotals } from "../objects/terminal-day.ts";

/** The most currencies of one terminal on one day. */
const MAX_CURRENCIES = 32;

const readTotals = dayTotals.transform((sent, context) => {
  const sum = (field: "captured" | "refunded" | "reversed") =>
    minorUnits(context, { field, value: sent[field], currency: sent.currency, positive: false, most: MAX_SUM });
  return {
    currency: sent.currency,
    capture: { count: sent.captures, amount: sum("captured") },
    refund: { count: sent.refunds, amount: sum("refunded") },
    reversal: { count: sent.reversals, amount: sum("reversed") },
  };
});

const members = z.object({
  closingID,
  businessDay,
  totals: z
    .array(dayTotals)
    .max(MAX_CURRENCIES)
    .meta({ description: "One entry for each currency. Empty if no money moved on that day." }),
  lastChargeID: chargeID.optional().meta({ description: "The last charge captured on that day." }),
});

/** A terminal's totals of one business day, as the documents show them. */
export const sentDayTotals = members.meta({
  id: "ClosedDay",
  description: "A terminal's totals of a business day. They are always those of the whole day, also as a correction.",
});

export const dayTotalsBody = members
  .extend({ totals: z.array(readTotals).max(MAX_CURRENCIES) })
  .superRefine(({ totals }, context) => {
    const seen = new Set<string>();
    for (const [i, { currency }] of totals.entries()) {
      if (seen.has(currency))
        context.addIssue({ code: "custom", path: ["totals", i, "currency"], message: "occurs twice" });
      seen.add(currency);
    }
  })
  .transform((body) => ({
    closingId: canonical(body.closingID),
    idAsReceived: body.closingID,
    day: body.businessDay,
    totals: body.totals,
    lastChargeId: body.lastChargeID && canonical(body.lastChargeID),
  }));
