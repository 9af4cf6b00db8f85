import type { Phase, Rehearsal, Trouble } from "../../rehearsal/record.ts";

const waits = { p50: 40, p95: 950, p99: 12_300 };
export const aPhase: Phase = { payments: 20, repeats: 0, untilAcknowledged: waits, untilOutcome: waits };

export const aTrouble: Trouble = {
  name: "kill",
  from: 12,
  to: 30,
  events: [{ at: 13, what: "the first server was killed" }],
  before: aPhase,
  during: { ...aPhase, repeats: 3 },
  after: aPhase,
};

/** A rehearsal in which every promise was kept. */
export const aRehearsal: Rehearsal = {
  version: 1,
  startedAt: "2026-11-23T09:30:00.000Z",
  wanted: { minutes: 1, terminals: 4, seed: 17, trouble: ["kill"] },
  app: { version: "0.1.0", node: "v24.21.0" },
  seconds: 60,
  quietAfter: 4.2,
  isEndedEarly: false,
  broken: [],
  troubles: [aTrouble],
  over: {
    seconds: 2,
    parts: [
      { payments: 40, longestWait: 95 },
      { payments: 0, longestWait: 0 },
      { payments: 20, longestWait: 12_300 },
    ],
  },
  states: { captured: 50, declined: 10 },
  webhooks: 130,
  money: {
    currency: "SEK",
    payments: 60,
    books: { captured: 500_050, refunded: 4_000, kept: 496_050 },
    cards: { captured: 500_050, refunded: 4_000, kept: 496_050 },
    files: 496_050,
    explained: [],
    unexplained: [],
  },
  closings: {
    currency: "SEK",
    days: [
      { terminal: "terminal-1", day: "2026-11-22", status: "closed", byTerminal: 496_050, inBooks: 496_050 },
      { terminal: "terminal-2", day: "2026-11-22", status: "closed", byTerminal: 0, inBooks: 0 },
    ],
  },
  alerts: [],
  figures: { "vouchers spent": 3 },
};
