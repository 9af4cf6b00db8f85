import * as z from "zod";
import { fromMinorUnits } from "../../domain/money.ts";
import type { TerminalDay } from "../../domain/terminal-day/terminal-day.ts";
import type { CurrencyTotals, Difference, Total } from "../../domain/terminal-day/totals.ts";
import { amount, currency } from "../amount.ts";
import { businessDay, chargeID, closingID, instant, movements, pointOfServiceID, updatedAt } from "../fields.ts";
import { values } from "../values.ts";

/** The totals of one currency, as terminals send them and partners see them. */
export const dayTotals = z
  .object({
    currency,
    captures: movements.meta({ description: "The number of captured charges." }),
    captured: amount.meta({ description: "Their sum, in the currency's major unit." }),
    refunds: movements.meta({ description: "The number of refunds." }),
    refunded: amount.meta({ description: "Their sum." }),
    reversals: movements.meta({ description: "The number of captured charges that were reversed." }),
    reversed: amount.meta({ description: "Their sum." }),
  })
  .meta({
    id: "DayTotals",
    description:
      "A terminal's totals in one currency on one business day. A sum is at most 9,007,199,254,740,991 minor units. Sums of up to 15 digits are always exact. A longer sum that a double cannot hold is refused.",
  });
type DayTotals = z.infer<typeof dayTotals>;

const counted = z
  .object({
    count: z.int().meta({ description: "The number. Negative if more charges were reversed than captured." }),
    amount: z.number().meta({ description: "Their sum, in the currency's major unit." }),
  })
  .meta({ id: "DayCount", description: "A number of movements of money, and their sum." });

const dayStatus = values("TerminalDayStatus", "The day's status.", {
  open: "The terminal has not closed the day yet.",
  comparing: "The totals have arrived, and a difference is not final yet.",
  closed: "The terminal's totals equal the books.",
  differs: "The terminal's totals differ from the books.",
  missing: "The terminal's totals did not arrive in time.",
});

const differenceKind = values("DayDifferenceKind", "The kind of difference.", {
  charge: "The captures less the reversals.",
  refund: "The refunds.",
  sharedCharge: "Several sessions captured one charge, even if all counts and sums are equal.",
});

const difference = z
  .object({
    currency,
    kind: differenceKind,
    terminal: counted,
    booked: counted,
    more: values("DayDifferenceSide", "The side with more.", { terminal: "The terminal.", books: "The books." }),
    names: z.array(z.string()).meta({
      description:
        "The shared charges, or the `chargeID`s or `refundID`s that explain the difference, if only one explanation fits.",
    }),
  })
  .meta({ id: "DayDifference", description: "A difference between a terminal's totals and the books." });

/** A terminal's business day as partners see it: the same in every response and webhook. */
export const terminalDayObject = z
  .object({
    pointOfServiceID,
    businessDay,
    status: dayStatus,
    closingID: closingID.optional().meta({ description: "The latest closing of the day." }),
    closedAt: instant.optional().meta({ description: "The time at which that closing arrived." }),
    lastChargeID: chargeID.optional().meta({ description: "The terminal's last charge of the day." }),
    terminalTotals: z.array(dayTotals).optional().meta({ description: "The terminal's totals, by currency." }),
    bookedTotals: z
      .array(dayTotals)
      .meta({ description: "The platform's books of the terminal's reports, by currency." }),
    differences: z.array(difference).meta({
      description: "The differences between terminal and books. Empty if they are equal or were not compared.",
    }),
    comparedAt: instant.optional().meta({ description: "The time of the last comparison." }),
    sequence: z.int().meta({ description: "Rises with every change. 0 if there was no change yet." }),
    updatedAt: updatedAt.optional(),
  })
  .meta({ id: "TerminalDay", description: "The business day of one terminal." });
export type TerminalDayObject = z.infer<typeof terminalDayObject>;

export const toTerminalDayObject = (
  day: Pick<TerminalDay, "terminalAsReceived" | "day" | "status" | "differences" | "sequence"> & Partial<TerminalDay>,
): TerminalDayObject => ({
  pointOfServiceID: day.terminalAsReceived,
  businessDay: day.day,
  status: day.status,
  closingID: day.closing?.idAsReceived,
  closedAt: day.closing?.at,
  lastChargeID: day.closing?.lastChargeId,
  terminalTotals: day.closing?.totals.map(toDayTotals),
  bookedTotals: (day.booked ?? []).map(toDayTotals),
  differences: day.differences.map(toDifference),
  comparedAt: day.comparedAt,
  sequence: day.sequence,
  updatedAt: day.updatedAt,
});

const toDayTotals = ({ currency: of, capture, refund, reversal }: CurrencyTotals): DayTotals => ({
  currency: of,
  captures: capture.count,
  captured: fromMinorUnits(capture.amount, of),
  refunds: refund.count,
  refunded: fromMinorUnits(refund.amount, of),
  reversals: reversal.count,
  reversed: fromMinorUnits(reversal.amount, of),
});

function toDifference({ terminal, booked, names, ...difference }: Difference) {
  const major = ({ count, amount: minor }: Total) => ({ count, amount: fromMinorUnits(minor, difference.currency) });
  return { ...difference, terminal: major(terminal), booked: major(booked), names: names.slice() };
}
