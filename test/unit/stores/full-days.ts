import type { DayClosing, TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import type { DayRecord } from "../../../shared/stores/terminal-days.ts";
import type { Full } from "./full.ts";

const total = { count: 1, amount: 12_550 };

export const closing: Full<DayClosing> = {
  closingId: "closing-1",
  idAsReceived: "CLOSING-1",
  totals: [{ currency: "SEK", capture: total, refund: total, reversal: total }],
  lastChargeId: "charge-1",
  at: "2026-11-21T22:05:00.000Z",
};

const terminalDay: Full<TerminalDay> = {
  partnerId: "partner-1",
  terminalId: "terminal-1",
  day: "2026-11-21",
  terminalAsReceived: "TERMINAL-1",
  status: "differs",
  closing,
  graceEndsAt: "2026-11-21T22:20:00.000Z",
  booked: closing.totals,
  differences: [
    { currency: "SEK", kind: "charge", terminal: total, booked: total, more: "books", names: ["charge-1"] },
  ],
  comparedAt: "2026-11-21T22:20:00.100Z",
  isAlerted: true,
  sequence: 4,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T22:20:00.100Z",
};

export const day: Full<DayRecord> = { terminalDay, isEntered: true, closedAt: "2026-11-21T22:20:00.100Z" };
