import type { TerminalDayObject } from "../../../../shared/contracts/objects/terminal-day.ts";
import { sampleIds } from "./sample-ids.ts";

// The business day of the sample payment: one charge, partly refunded.

const { pointOfServiceID, closingID, chargeID } = sampleIds;

const totals = {
  currency: "SEK",
  captures: 1,
  captured: 125.5,
  refunds: 1,
  refunded: 25.5,
  reversals: 0,
  reversed: 0,
};

export const sampleClosing = { closingID, businessDay: "2026-11-21", totals: [totals], lastChargeID: chargeID };

export const sampleDay: TerminalDayObject = {
  pointOfServiceID,
  businessDay: "2026-11-21",
  status: "closed",
  closingID,
  closedAt: "2026-11-21T22:05:00.000Z",
  lastChargeID: chargeID,
  terminalTotals: [totals],
  bookedTotals: [totals],
  differences: [],
  comparedAt: "2026-11-21T22:05:00.120Z",
  sequence: 3,
  updatedAt: "2026-11-21T22:05:00.120Z",
};
