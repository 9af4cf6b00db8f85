import type * as z from "zod";
import type {
  settlementDayObject,
  settlementDaysObject,
} from "../../../../shared/contracts/objects/settlement-days.ts";
import type { SettlementObject } from "../../../../shared/contracts/objects/settlement.ts";
import { sampleIds } from "./sample-ids.ts";

const { merchantID, pointOfServiceID, sessionID, chargeID, refundID } = sampleIds;
const merchantReferences = { orderId: sampleIds.orderId, paymentId: sampleIds.paymentId };
const payment = { currency: "SEK", merchantID, pointOfServiceID, sessionID, chargeID, merchantReferences };

const card = { brand: "Visa", last4: "4242" };

export const sampleSettlementDay: z.infer<typeof settlementDayObject> = {
  date: "2026-11-21",
  status: "closed",
  closedAt: "2026-11-22T12:00:03.118Z",
  totals: [
    { currency: "SEK", kind: "capture", direction: "credit", count: 1, amount: 125.5, tip: 0 },
    { currency: "SEK", kind: "refund", direction: "debit", count: 1, amount: 25.5, tip: 0 },
  ],
};

export const sampleSettlementDays: z.infer<typeof settlementDaysObject> = {
  settlements: [sampleSettlementDay, { date: "2026-11-22", status: "open" }],
};

export const sampleSettlement: SettlementObject = {
  ...sampleSettlementDay,
  bookings: [
    {
      businessDay: "2026-11-21",
      kind: "capture",
      direction: "credit",
      amount: 125.5,
      tip: 0,
      sequence: 4,
      bookedAt: "2026-11-21T10:30:11.402Z",
      ...payment,
      ...card,
      authorisationCode: "A1B2C3",
      rrn: "632610304512",
    },
    {
      businessDay: "2026-11-21",
      kind: "refund",
      direction: "debit",
      amount: 25.5,
      tip: 0,
      sequence: 6,
      bookedAt: "2026-11-21T11:02:47.930Z",
      refundID,
      ...payment,
      ...card,
      rrn: "632611204519",
    },
  ],
};
