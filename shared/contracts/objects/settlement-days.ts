import * as z from "zod";
import { MOST_SETTLEMENTS, type BookingTotal } from "../../domain/booking.ts";
import { fromMinorUnits } from "../../domain/money.ts";
import type { Day, Instant } from "../../domain/time.ts";
import { amount, currency } from "../amount.ts";
import { businessDay, instant, sentDay } from "../fields.ts";
import { values } from "../values.ts";

export const bookingKind = values("BookingKind", "The reason of the movement.", {
  capture: "A charge was captured for the merchant.",
  refund: "A charge was refunded, wholly or in part.",
  reversal: "A captured charge was returned.",
  correction: "An operator recorded the acquirer's books.",
});
export const bookingDirection = values("BookingDirection", "The direction of the movement. Amounts have no sign.", {
  credit: "The merchant received the money.",
  debit: "The merchant paid the money.",
});

const totalObject = z
  .object({
    currency,
    kind: bookingKind,
    direction: bookingDirection,
    count: z.int().meta({ description: "The number of bookings." }),
    amount: amount.meta({ description: "Their sum, in the currency's major unit." }),
    tip: amount.meta({ description: "The part of the sum that is tip." }),
  })
  .meta({ id: "BookingTotal", description: "The sum of one currency, kind and direction." });

/** A partner's day without its movements, as the list of settlements and the event of its closing show it. */
export const settlementDayObject = z
  .object({
    date: businessDay.meta({ description: "The day of the file." }),
    status: values("SettlementStatus", "Whether the day is complete.", {
      open: "More bookings may be added.",
      closed: "The settlement never changes.",
    }),
    closedAt: instant.optional().meta({ description: "The time at which it was closed." }),
    totals: z
      .array(totalObject)
      .optional()
      .meta({ description: "One total for each currency, kind and direction. Absent while the day is open." }),
  })
  .meta({ id: "SettlementDay", description: "A business day with a settlement." });

/** The days of a partner that have a settlement. */
export const settlementDaysObject = z
  .object({ settlements: z.array(settlementDayObject).meta({ description: "The oldest day first." }) })
  .meta({ id: "SettlementDays", description: "The business days that have a settlement." });

/** The query of the list of settlements. */
export const settlementDaysQuery = z.object({
  from: sentDay.optional().meta({
    description: `The first day. By default the list has ${MOST_SETTLEMENTS} days.`,
    param: { example: "2026-11-01" },
  }),
  to: sentDay.optional().meta({
    description: `The last day. At most ${MOST_SETTLEMENTS - 1} days after \`from\`, which is also the default, or else today in UTC.`,
    param: { example: "2026-11-30" },
  }),
});

/** A partner's day as a key sees it. */
export interface SettlementDay {
  readonly date: Day;
  readonly isClosed: boolean;
  readonly closedAt?: Instant | undefined;
  readonly totals?: readonly BookingTotal[] | undefined;
}

export const toSettlementDay = ({
  date,
  isClosed,
  closedAt,
  totals,
}: SettlementDay): z.infer<typeof settlementDayObject> => ({
  date,
  status: isClosed ? "closed" : "open",
  closedAt,
  totals: totals?.map(toTotalObject),
});

const toTotalObject = ({
  currency,
  kind,
  direction,
  count,
  amount,
  tip = 0,
}: BookingTotal): z.infer<typeof totalObject> => ({
  currency,
  kind,
  direction,
  count,
  amount: fromMinorUnits(amount, currency),
  tip: fromMinorUnits(tip, currency),
});
