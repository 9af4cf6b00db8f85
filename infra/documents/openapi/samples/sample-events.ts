import type * as z from "zod";
import type { events } from "../../../../shared/contracts/events/events.ts";
import type { EventPageObject } from "../../../../shared/contracts/events/event-page.ts";
import { sampleDay } from "./sample-days.ts";
import { sampleSettlementDay } from "./sample-settlement.ts";
import { authorizedPayment, discountedPayment, refundingPayment, sampleAction } from "./samples.ts";
import { commandID, sampleIds } from "./sample-ids.ts";

// The webhooks that the documentation shows: the events of the sample payment, as its partner gets them.

const { sessionID, refundID, discountID, actionRequestID } = sampleIds;
const later = "2026-11-21T10:34:12.118Z";

const refundedPayment = {
  ...refundingPayment,
  amounts: { ...refundingPayment.amounts, refunded: 25.5, refundPending: 0 },
  refunds: refundingPayment.refunds.map((refund) => ({
    ...refund,
    status: "succeeded" as const,
    deliverBefore: undefined,
    updatedAt: later,
  })),
  sequence: 7,
  updatedAt: later,
};

/** A second card was charged for a captured payment, so that charge is reversed. */
const secondCharge = {
  chargeID: "728394a5-b6c7-48d9-8aeb-1c2d3e4f5061",
  amount: 125.5,
  currency: "SEK",
  status: "reversing" as const,
  createdAt: later,
  updatedAt: later,
};
const chargedTwice = {
  ...refundedPayment,
  charges: [...refundedPayment.charges, secondCharge],
  sequence: 8,
  updatedAt: later,
};

const loweredPayment = {
  ...discountedPayment,
  totalAmountInclVat: 100,
  totalVatAmount: 20,
  amounts: { ...discountedPayment.amounts, discounted: 25.5 },
  discounts: discountedPayment.discounts.map((discount) => ({ ...discount, status: "applied" as const })),
  sequence: 4,
};

/** One event of each kind. */
export const sampleEvents: { readonly [Kind in keyof typeof events]: z.infer<(typeof events)[Kind]> } = {
  payment: {
    id: `${sessionID}_3_${commandID}`,
    type: "payment.authorized",
    timestamp: authorizedPayment.updatedAt,
    sequence: 3,
    causedBy: "terminal",
    data: authorizedPayment,
  },
  refund: {
    id: `${sessionID}_7_${refundID}_${commandID}`,
    type: "refund.succeeded",
    timestamp: later,
    sequence: 7,
    causedBy: "terminal",
    data: refundedPayment,
  },
  reversal: {
    id: `${sessionID}_8_${secondCharge.chargeID}_${commandID}`,
    type: "reversal.requested",
    timestamp: later,
    sequence: 8,
    causedBy: "terminal",
    data: chargedTwice,
  },
  discount: {
    id: `${sessionID}_4_${discountID}_${commandID}`,
    type: "discount.applied",
    timestamp: loweredPayment.updatedAt,
    sequence: 4,
    causedBy: "terminal",
    data: loweredPayment,
  },
  actionRequest: {
    id: `${actionRequestID}_1_${commandID}`,
    type: "actionRequest.created",
    timestamp: sampleAction.createdAt,
    sequence: 1,
    causedBy: "terminal",
    data: sampleAction,
  },
  day: {
    id: `${sampleDay.pointOfServiceID}_${sampleDay.businessDay}_${sampleDay.sequence}_${commandID}`,
    type: "day.closed",
    timestamp: "2026-11-21T22:05:00.120Z",
    sequence: sampleDay.sequence,
    causedBy: "platform",
    data: sampleDay,
  },
  settlement: {
    id: `${sampleSettlementDay.date}_1_${commandID}`,
    type: "settlement.closed",
    timestamp: "2026-11-22T12:00:03.118Z",
    sequence: 1,
    causedBy: "platform",
    data: sampleSettlementDay,
  },
  webhook: { id: `test_${commandID}`, type: "webhook.test", timestamp: later, sequence: 1, data: {} },
};

/** Two events of the feed. The partner itself requested the refund. */
export const sampleEventPage: EventPageObject = {
  events: [
    sampleEvents.payment,
    {
      id: `${sessionID}_${refundingPayment.sequence}_${refundID}_${commandID}`,
      type: "refund.requested",
      timestamp: refundingPayment.updatedAt,
      sequence: refundingPayment.sequence,
      causedBy: "partner",
      keyID: "0f3a91c2d4e5b6a7",
      data: refundingPayment,
    },
  ],
  next: "ZTEtNDI",
};
