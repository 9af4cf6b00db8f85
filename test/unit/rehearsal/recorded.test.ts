import { describe, expect, it } from "vitest";
import type { ClosedDay } from "../../chaos/closings.ts";
import { rehearsalRecord } from "../../rehearsal/record.ts";
import { moneyOf } from "../../rehearsal/money.ts";
import { recordOf, type Lived } from "../../rehearsal/recorded.ts";
import type { TerminalAction } from "../../chaos/terminal.ts";
import type { ReceivedWebhook } from "../../support/webhook-server.ts";
import { aPaymentIn } from "../../support/a-payment.ts";

const captured = aPaymentIn("captured");
const { sessionId, partnerId } = captured;

const charged: TerminalAction = {
  sessionID: sessionId,
  messageID: "m-1",
  cause: "payment",
  outcome: "authorized",
  chargeID: "charge-1",
  refundID: undefined,
  amount: 125.5,
  isCaptured: true,
};
const second: TerminalAction = { ...charged, messageID: "m-2", chargeID: "charge-2" };
const tooMany = {
  alert: "tooManyCharges",
  partnerID: partnerId,
  sessionID: sessionId,
  about: "charge-2",
  status: "open",
  firstAt: "2026-11-23T09:30:21.000Z",
  lastAt: "2026-11-23T09:30:21.000Z",
} as const;
const none = { files: [], openAlerts: [], forgotten: new Set<string>() };

it("shows each day that a terminal closed, with what the terminal and the books left with the merchant", () => {
  const none = { refunds: 0, refunded: 0, reversals: 0, reversed: 0 };
  const said = [{ ...none, currency: "SEK", captures: 2, captured: 300, refunds: 1, refunded: 49.5 }];
  const booked = [{ ...none, currency: "SEK", captures: 1, captured: 125.5, reversals: 1, reversed: 25 }];
  const closedDay: ClosedDay = {
    terminalId: "t",
    day: "2026-11-22",
    said: { closingID: "c", businessDay: "2026-11-22", totals: said },
    lie: "countsOneTwice",
    shown: {
      pointOfServiceID: "t",
      businessDay: "2026-11-22",
      status: "differs",
      bookedTotals: booked,
      differences: [],
      sequence: 3,
    },
  };
  const { closings } = recordOf(withDay({ evidence: { ...lived.day.evidence, closedDays: [closedDay] } }));
  expect(closings).toEqual({
    currency: "SEK",
    days: [{ terminal: "t", day: "2026-11-22", status: "differs", byTerminal: 25_050, inBooks: 10_050 }],
  });
});

describe("the money of a rehearsal", () => {
  it("is the same in the books and on the cards, in minor units, where they agree", () => {
    expect(moneyOf([captured], { ...none, actions: [charged] })).toEqual({
      currency: "SEK",
      payments: 1,
      books: { captured: 12_550, refunded: 0, kept: 12_550 },
      cards: { captured: 12_550, refunded: 0, kept: 12_550 },
      files: 0,
      explained: [],
      unexplained: [],
    });
  });

  it("has no reason for a card that paid twice, and that nothing names", () => {
    const { cards, explained, unexplained } = moneyOf([captured], { ...none, actions: [charged, second] });
    expect(cards.kept).toBe(25_100);
    expect(explained).toEqual([]);
    expect(unexplained).toEqual([{ sessionID: sessionId, inBooks: 12_550, onCards: 25_100 }]);
  });

  it.each([
    ["an open alert names it (tooManyCharges)", { ...none, openAlerts: [tooMany] }],
    ["its terminal lost its memory before it reported the charge", { ...none, forgotten: new Set(["charge-2"]) }],
  ])("has a reason for it where %s", (why, evidence) => {
    const { explained, unexplained } = moneyOf([captured], { ...evidence, actions: [charged, second] });
    expect(explained).toEqual([{ why, payments: 1, inBooks: 12_550, onCards: 25_100 }]);
    expect(unexplained).toEqual([]);
  });

  it("has none where only one of two differences is named", () => {
    const third = { ...charged, messageID: "m-3", chargeID: "charge-3" };
    const evidence = { ...none, openAlerts: [tooMany], actions: [charged, second, third] };
    expect(moneyOf([captured], evidence).unexplained).toHaveLength(1);
  });
});

const startedAt = Date.parse("2026-11-23T09:30:00.000Z");
const webhook = (at: number, status: string): ReceivedWebhook =>
  ({ at: startedAt + at * 1_000, event: { data: { sessionID: sessionId, status } } }) as ReceivedWebhook;

const lived: Lived = {
  options: { minutes: 1, trouble: ["hanging-partner"], terminals: 2, seed: 17, out: undefined, json: undefined },
  startedAt,
  happened: [{ trouble: "hanging-partner", from: 5, begins: 20, ends: 40, to: 60, events: [] }],
  day: {
    evidence: {
      promised: [
        {
          sessionID: sessionId,
          partnerID: partnerId,
          requestedAt: startedAt + 6_000,
          acknowledgedAt: startedAt + 6_200,
          tries: 2,
        },
      ],
      actions: [charged],
      files: [],
      closedDays: [],
      alerts: [],
      webhooks: [webhook(7, "inProgress"), webhook(8, "captured"), webhook(30, "captured")],
      openAlerts: [],
      forgotten: new Set(),
      perfect: new Set(),
      polling: new Set(),
    },
    alerts: [{ ...tooMany, status: "closed" }],
    violations: [],
    stories: [],
    excuses: {},
    figures: { "vouchers spent": 1 },
    moving: undefined,
    waits: [],
    seconds: { faults: 60, untilQuiet: 3 },
    mistakes: [],
  },
  payments: [captured],
  hanging: new Set(),
  app: { version: "0.1.0", beside: undefined },
  timesLeft: 0,
  isEndedEarly: false,
};
const withDay = (more: Partial<Lived["day"]>): Lived => ({ ...lived, day: { ...lived.day, ...more } });

describe("the record of a rehearsal", () => {
  it("is what its schema says, with the payment's waits until its first outcome", () => {
    const record = recordOf(lived);
    expect(rehearsalRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(record).toMatchObject({ broken: [], states: { captured: 1 }, webhooks: 3, quietAfter: 3 });
    expect(record.troubles[0]?.before).toMatchObject({
      payments: 1,
      repeats: 1,
      untilAcknowledged: { p50: 200 },
      untilOutcome: { p50: 2_000 },
    });
    expect(record.alerts).toEqual([
      { kind: "tooManyCharges", at: 21, status: "closed", subject: sessionId, about: "charge-2" },
    ]);
    expect(record).not.toHaveProperty("unproven");
  });

  it("leaves the partners that hang out of what is measured while they hang", () => {
    expect(recordOf({ ...lived, hanging: new Set([partnerId]) }).troubles[0]?.before.payments).toBe(0);
  });

  it.each<[string, Lived, string]>([
    ["a violation", withDay({ violations: ["a dead letter"] }), "a dead letter"],
    ["a response 500", withDay({ mistakes: ["responded 500: GET /x"] }), "responded 500: GET /x"],
    ["a platform that does not come to rest", withDay({ moving: "3 messages" }), "did not come to rest: 3 messages"],
    ["a version that cannot read the other", { ...lived, timesLeft: 2 }, "2 times what one version wrote"],
  ])("names %s as a broken promise", (_, wrong, sentence) => {
    expect(recordOf(wrong).broken).toEqual([expect.stringContaining(sentence)]);
  });

  it("of a day that was ended early, with payments under way, proves nothing, and names what is broken all the same", () => {
    const early = withDay({
      moving: "1 payments are still pending",
      violations: ["never delivered"],
      mistakes: ["500"],
    });
    const { broken, unproven, money, quietAfter } = recordOf({ ...early, isEndedEarly: true });
    expect({ broken, money, quietAfter }).toEqual({ broken: ["500"], money: undefined, quietAfter: null });
    expect(unproven).toContain("before the last payments had come to their end (1 payments are still pending)");
  });

  it("of a day that was ended early and came to rest is judged", () => {
    const record = recordOf({ ...lived, isEndedEarly: true });
    expect(record).toMatchObject({ isEndedEarly: true, quietAfter: 3, money: { books: { kept: 12_550 } } });
    expect(record).not.toHaveProperty("unproven");
  });

  it.each<[string, Partial<Lived>]>([
    ["No payment was made.", withDay({ evidence: { ...lived.day.evidence, promised: [] } })],
    ["It was ended before anything went wrong.", { happened: [] }],
  ])("says that it proves nothing: %s", (why, more) => {
    expect(recordOf({ ...lived, ...more }).unproven).toBe(why);
  });
});
