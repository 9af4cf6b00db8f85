import { describe, expect, it } from "vitest";
import type { TerminalDayObject } from "../../../shared/contracts/objects/terminal-day.ts";
import type { Line } from "../../chaos/books.ts";
import { dayOf, type ClosedDay, type DayEvidence } from "../../chaos/closings.ts";

const [day, terminalId] = ["2026-11-21", "terminal-1"];

const line: Line = {
  businessDay: day,
  kind: "capture",
  direction: "credit",
  amount: 100,
  tip: 0,
  currency: "SEK",
  merchantID: "m",
  pointOfServiceID: terminalId,
  sessionID: "s",
  sequence: 3,
  chargeID: "charge-1",
  bookedAt: "2026-11-21T09:30:21.000Z",
};
const refund: Line = { ...line, kind: "refund", direction: "debit", amount: 40, refundID: "r" };
const reversed: Line = { ...line, kind: "reversal", direction: "debit", chargeID: "charge-2" };
const correction: Line = { ...line, kind: "correction", chargeID: "charge-3" };
const lines = [line, refund, { ...line, chargeID: "charge-2" }, reversed, correction];
const totals = { currency: "SEK", captures: 1, captured: 100, refunds: 1, refunded: 40, reversals: 0, reversed: 0 };

const shown: TerminalDayObject = {
  pointOfServiceID: terminalId,
  businessDay: day,
  status: "closed",
  bookedTotals: [],
  differences: [],
  sequence: 2,
};
const closed: ClosedDay = {
  terminalId,
  day,
  said: { closingID: "c", businessDay: day, totals: [totals], lastChargeID: "charge-1" },
  lie: undefined,
  shown,
};
const differs: ClosedDay = { ...closed, shown: { ...shown, status: "differs" } };
const wrong = { ...closed.said, totals: [{ ...totals, captures: 2, captured: 200 }] };
const at = "2026-11-22T00:00:00.000Z";
const alert = {
  alert: "dayDiffers",
  pointOfServiceID: terminalId,
  day,
  status: "closed",
  lastAt: at,
} as const;
const evidence = (more: Partial<DayEvidence> = {}): DayEvidence => ({
  files: [{ date: day, status: "open", bookings: lines, totals: [] }],
  alerts: [alert],
  isPlain: false,
  ...more,
});

describe("a terminal's day", () => {
  it.each<[string, ClosedDay, Partial<DayEvidence>]>([
    ["is closed, and the files say the same", closed, { isPlain: true }],
    [
      "differs by a lie, and an operator was called",
      { ...differs, said: wrong, lie: "countsOneTwice" },
      { isPlain: true },
    ],
    ["differs where the terminal forgot something", { ...differs, said: wrong }, {}],
    ["differs by its last charge alone", { ...differs, said: { ...closed.said, lastChargeID: "charge-9" } }, {}],
  ])("is right if it %s", (_, one, more) => {
    expect(dayOf(one, evidence(more))).toEqual([]);
  });

  it.each<[string, ClosedDay, Partial<DayEvidence>, RegExp]>([
    ["is closed with other totals", { ...closed, said: wrong }, {}, /^closed with /],
    ["is closed without its lines", closed, { files: [] }, /^closed with /],
    ["differs without a difference", differs, {}, /^differs, though the files say the same/],
    ["differs, and nobody hears of it", { ...differs, said: wrong }, { alerts: [] }, /no operator was called/],
    [
      "differs, and only one of another day hears of it",
      { ...differs, said: wrong },
      { alerts: [{ ...alert, day: "2026-11-20" }] },
      /no operator was called/,
    ],
    ["differs for a terminal that counts truly", { ...differs, said: wrong }, { isPlain: true }, /counts truly/],
  ])("is reported if it %s", (_, one, more, sentence) => {
    expect(dayOf(one, evidence(more))).toEqual([expect.stringMatching(sentence)]);
  });
});
