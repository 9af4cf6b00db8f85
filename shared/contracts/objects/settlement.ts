import * as z from "zod";
import { linesOfPage, type Booking } from "../../domain/booking.ts";
import { fromMinorUnits } from "../../domain/money.ts";
import type { Day } from "../../domain/time.ts";
import { amount, currency } from "../amount.ts";
import { canonical } from "../identifier.ts";
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
import { acquirer, card } from "./card-receipt.ts";
import {
  bookingDirection,
  bookingKind,
  settlementDayObject,
  toSettlementDay,
  type SettlementDay,
} from "./settlement-days.ts";

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
    kind: bookingKind,
    direction: bookingDirection,
    amount,
    tip: amount.meta({ description: "The part of the amount that is tip." }),
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

/** A page of a partner's day: movements of money that are booked under it. */
export const settlementObject = settlementDayObject
  .extend({
    bookings: z.array(bookingObject).meta({
      description: "In the order of terminals, sessions and sequences. May be empty although there is a `next`.",
    }),
    totals: settlementDayObject.shape.totals.meta({
      description:
        "One total for each currency, kind and direction, of all pages. Each page of a closed day has them, and the last page of an open day.",
    }),
    next: z
      .string()
      .optional()
      .meta({ description: "The `after` of the next page. Absent on the last page. The value is opaque." }),
  })
  .meta({ id: "Settlement", description: "The books of one business day, or a page of them." });
export type SettlementObject = z.infer<typeof settlementObject>;

/** The query of a settlement, and of its file. */
export const settlementQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(linesOfPage.most)
    .optional()
    .meta({
      description: `The maximum number of movements on a page. ${linesOfPage.usual} by default. Without \`limit\` and \`after\` the settlement is one answer, if it has at most ${linesOfPage.most} movements.`,
    }),
  after: z
    .string()
    .max(4_000)
    .optional()
    .meta({ description: "`next` of the previous page. The filters must be the same. `limit` may change." }),
  merchantID: merchantID.optional(),
  pointOfServiceID: pointOfServiceID.optional(),
});

/** The lines that a request names, with identifiers in lower case. */
export const linesOf = ({
  date,
  merchantID,
  pointOfServiceID,
}: Pick<z.infer<typeof settlementQuery>, "merchantID" | "pointOfServiceID"> & { readonly date: Day }) => ({
  date,
  merchantId: merchantID && canonical(merchantID),
  terminalId: pointOfServiceID && canonical(pointOfServiceID),
});

/** A page of a partner's day as a key sees it. */
export interface SettlementPage extends SettlementDay {
  /** In the order of the file. */
  readonly bookings: readonly Booking[];
  readonly isFirst: boolean;
  readonly next: string | undefined;
}

export const toSettlementObject = ({ bookings, next, ...day }: SettlementPage): SettlementObject => {
  const { totals, ...settled } = toSettlementDay(day);
  return { ...settled, bookings: bookings.map(toBookingObject), totals, next };
};

const toBookingObject = (booking: Booking): z.infer<typeof bookingObject> => {
  const { asReceived, orderId, paymentId, currency } = booking;
  return {
    businessDay: booking.businessDay,
    kind: booking.kind,
    direction: booking.direction,
    amount: fromMinorUnits(booking.amount, currency),
    tip: fromMinorUnits(booking.tip ?? 0, currency),
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
