import { describe, expect, it } from "vitest";
import { booksOf, sumsOf, type Files, type Line } from "../../chaos/books.ts";
import type { Session } from "../../chaos/sessions.ts";
import type { TerminalAction } from "../../chaos/terminal.ts";
import { aPaymentIn } from "../../support/a-payment.ts";

const payment = aPaymentIn("captured");
const { sessionId, terminalId, merchantId } = payment;
const [charge] = payment.charges;
const day = "2026-11-21";
const at = "2026-11-21T09:30:21.000Z";

const line: Line = {
  businessDay: day,
  kind: "capture",
  direction: "credit",
  amount: 125.5,
  tip: 0,
  currency: "SEK",
  merchantID: merchantId,
  pointOfServiceID: terminalId,
  sessionID: sessionId,
  sequence: 3,
  chargeID: charge?.chargeId,
  bookedAt: at,
};
const charged: TerminalAction = {
  sessionID: sessionId,
  messageID: "m-1",
  cause: "payment",
  outcome: "authorized",
  chargeID: charge?.chargeId,
  refundID: undefined,
  amount: 125.5,
  isCaptured: true,
  businessDay: day,
};
const session: Session = { payment, history: [], commands: [] };
const resolved = { ...session, history: [{ by: "operator" }] } as unknown as Session;

describe("the lines of a payment in the accountants' files", () => {
  it("match its record, the movements of its card, and the day that its terminal named", () => {
    expect(booksOf(session, [line], [charged])).toEqual([]);
  });

  it.each<[string, Session, readonly Line[], TerminalAction, string]>([
    ["are missing", session, [], charged, "0 in the files, and 12550 by its record"],
    ["stand twice", session, [line, line], charged, "25100 in the files, and 12550 by its record"],
    [
      "have another day",
      session,
      [line],
      { ...charged, businessDay: "2026-11-20" },
      `booked on ${day}, and its terminal moved it on 2026-11-20`,
    ],
  ])("are reported if they %s", (_, of, lines, action, sentence) => {
    expect(booksOf(of, lines, [action])).toEqual([sentence]);
  });

  it("may have another day if an operator moved the money", () => {
    expect(booksOf(resolved, [line], [{ ...charged, businessDay: "2026-11-20" }])).toEqual([]);
  });
});

describe("an accountant's file", () => {
  const total = { currency: "SEK", kind: "capture", direction: "credit", count: 1, amount: 125.5, tip: 0 } as const;
  const file: Files[number] = { date: day, status: "open", bookings: [line], totals: [total] };

  it("has the sums of its lines as totals", () => {
    expect(sumsOf([file])).toEqual([]);
    for (const wrong of [
      { ...total, amount: 125.51 },
      { ...total, count: 2 },
      { ...total, tip: 1 },
    ])
      expect(sumsOf([{ ...file, totals: [wrong] }])).toEqual([`totals that are not the sums: ${day}`]);
  });

  it("has no line of another day", () => {
    expect(sumsOf([file, { ...file, date: "2026-11-22" }])).toEqual([expect.stringMatching(/^booked twice: /)]);
  });
});
