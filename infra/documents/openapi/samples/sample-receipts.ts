import { sampleIds } from "./sample-ids.ts";

const { chargeID, refundID } = sampleIds;

export const sampleReceipts = {
  receipts: [
    {
      sequence: 3,
      of: "sale" as const,
      at: "2026-11-21T10:30:08.420Z",
      chargeID,
      customer: ["Demo Kiosk", "SALE 125.50 SEK", "Visa **** 4242", "APPROVED A1B2C3"],
      merchant: ["Demo Kiosk", "SALE 125.50 SEK", "Visa **** 4242", "RRN 632610304512"],
    },
    {
      sequence: 6,
      of: "refund" as const,
      at: "2026-11-21T11:02:47.930Z",
      refundID,
      customer: ["Demo Kiosk", "REFUND 25.50 SEK", "Visa **** 4242"],
    },
  ],
};
