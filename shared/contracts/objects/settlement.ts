import * as z from "zod";
import { totalsOf, type Booking, type BookingTotal } from "../../domain/booking.ts";
import { fromMinorUnits } from "../../domain/money.ts";
import type { Day, Instant } from "../../domain/time.ts";
import { amount, currency } from "../amount.ts";
import {
  businessDay,
  chargeID,
  instant,
  merchantID,
  merchantReferences,
  pointOfServiceID,
  refundID,
  sessionID,
} from "../fields.ts";
import { values } from "../values.ts";
import { acquirer, card } from "./card-receipt.ts";

const kind = values("BookingKind", "The reason of the movement.", {
  capture: "A charge was captured for the merchant.",
  refund: "A charge was refunded, wholly or in part.",
  reversal: "A captured charge was returned.",
  correction: "An operator recorded the acquirer's books.",
});
const direction = values("BookingDirection", "The direction of the movement. Amounts have no sign.", {
  credit: "The merchant received the money.",
  debit: "The merchant paid the money.",
});

const own = "The movement's own. Absent if the terminal reported none.";
const ofCharge = "The charge's if the terminal reported none with the movement.";
/** The members by which a movement is found in the acquirer's file. */
const bookingEvidence = {
  brand: card.shape.brand.meta({ description: `The card's brand. ${ofCharge}` }),
  last4: card.shape.last4.meta({ description: `The card number's last four digits. ${ofCharge}` }),
  authorisationCode: acquirer.shape.authorisationCode.meta({ description: `The issuer's approval code. ${own}` }),
  rrn: acquirer.shape.rrn.meta({ description: `Retrieval reference number. ${own}` }),
  tid: acquirer.shape.tid.meta({ description: `The acquirer's name for the terminal. ${ofCharge}` }),
  mid: acquirer.shape.mid.meta({ description: `The acquirer's name for the merchant. ${ofCharge}` }),
};

const bookingObject = z
  .object({
    businessDay: businessDay.meta({
      description:
        "The terminal's business day on which the money moved. It is earlier than the day of the file if that day was closed already.",
    }),
    kind,
    direction,
    amount,
    currency,
    merchantID,
    pointOfServiceID,
    sessionID,
    sequence: z.int().meta({ description: "The payment's `sequence` with which the money moved." }),
    chargeID: chargeID.optional().meta({ description: "Absent if no terminal has reported the charge." }),
    refundID: refundID.optional(),
    merchantReferences: merchantReferences.optional(),
    bookedAt: instant.meta({ description: "The time at which the platform recorded the movement." }),
    ...bookingEvidence,
  })
  .meta({ id: "Booking", description: "One movement of money." });

const totalObject = z
  .object({
    currency,
    kind,
    direction,
    count: z.int().meta({ description: "The number of bookings." }),
    amount: amount.meta({ description: "Their sum, in the currency's major unit." }),
  })
  .meta({ id: "BookingTotal", description: "The sum of one currency, kind and direction." });

/** A partner's day: every movement of money that is booked under it. */
export const settlementObject = z
  .object({
    date: businessDay.meta({ description: "The day of the file." }),
    status: values("SettlementStatus", "Whether the day is complete.", {
      open: "More bookings may be added.",
      closed: "The settlement never changes.",
    }),
    closedAt: instant.optional().meta({ description: "The time at which it was closed." }),
    bookings: z.array(bookingObject).meta({ description: "Oldest first." }),
    totals: z.array(totalObject).meta({ description: "One total for each currency, kind and direction." }),
  })
  .meta({ id: "Settlement", description: "The books of one business day." });
export type SettlementObject = z.infer<typeof settlementObject>;

/** A partner's day as a key sees it. */
export interface Settlement {
  readonly date: Day;
  readonly isClosed: boolean;
  readonly closedAt: Instant | undefined;
  /** In the order of the file. */
  readonly bookings: readonly Booking[];
}

export const toSettlementObject = ({ date, isClosed, closedAt, bookings }: Settlement): SettlementObject => ({
  date,
  status: isClosed ? "closed" : "open",
  closedAt,
  bookings: bookings.map(toBookingObject),
  totals: totalsOf(bookings).map(toTotalObject),
});

const toBookingObject = (booking: Booking): z.infer<typeof bookingObject> => {
  const { asReceived, orderId, paymentId, currency } = booking;
  return {
    businessDay: booking.businessDay,
    kind: booking.kind,
    direction: booking.direction,
    amount: fromMinorUnits(booking.amount, currency),
    currency,
    merchantID: asReceived.merchantId,
    pointOfServiceID: asReceived.terminalId,
    sessionID: asReceived.sessionId,
    sequence: booking.sequence,
    chargeID: booking.chargeId,
    refundID: asReceived.refundId,
    merchantReferences: orderId === undefined && paymentId === undefined ? undefined : { orderId, paymentId },
    bookedAt: booking.at,
    ...booking.evidence,
  };
};

const toTotalObject = ({ currency, kind, direction, count, amount }: BookingTotal): z.infer<typeof totalObject> => ({
  currency,
  kind,
  direction,
  count,
  amount: fromMinorUnits(amount, currency),
});
