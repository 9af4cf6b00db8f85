import { describe, expect, it } from "vitest";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { MAX_SUM } from "../../../shared/domain/money.ts";
import { after } from "../../../shared/domain/time.ts";
import {
  closeDay,
  compareDay,
  dayOverdue,
  openDay,
  type Books,
  type DayChange,
} from "../../../shared/domain/terminal-day/changes.ts";
import { dayStates, type DayClosing, type TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { totalsOf, type Movement } from "../../../shared/domain/terminal-day/totals.ts";
import { dayEvents, dayTransitions } from "../../../shared/domain/terminal-day/transitions.ts";

const now = "2026-11-21T22:00:00.000Z";
const timings = standardTimings;
const key = { partnerId: "p", terminalId: "t", day: "2026-11-21", terminalAsReceived: "T" };

const capture = (chargeId: string, amount: number, sessionId = `of-${chargeId}`): Movement => ({
  kind: "capture",
  amount,
  currency: "SEK",
  chargeId,
  sessionId,
});
const charges = [capture("c1", 100), capture("c2", 250)];

const closing = (movements: readonly Movement[], more: Partial<DayClosing> = {}): DayClosing => ({
  closingId: "n1",
  idAsReceived: "N1",
  totals: totalsOf(movements),
  at: now,
  ...more,
});
const booksOf = (movements: readonly Movement[], isUnderWay = false): Books => ({ movements, isUnderWay });

const opened = () => openDay(key, { now, timings }).terminalDay;
const told = (movements: readonly Movement[], before: TerminalDay = opened()) =>
  closeDay(before, closing(movements), { now, timings }).terminalDay;
const compared = (day: TerminalDay, books: Books, at = now): DayChange | undefined =>
  compareDay(day, books, { now: at, timings, graceDue: at === now ? undefined : day.graceEndsAt });
const afterwards = (day: TerminalDay, books: Books, at = now): TerminalDay =>
  compared(day, books, at)?.terminalDay ?? day;
const graceOver = after(now, timings.dayGraceSeconds);
const effectsOf = (change: DayChange | undefined) =>
  change?.effects.map((effect) => {
    if (effect.kind === "webhook") return effect.type;
    return effect.kind === "alert" ? `${effect.alert}: ${effect.detail}` : `${"deadline" in effect && effect.deadline}`;
  });

describe("a terminal's day", () => {
  it("is opened by its first booking, with a deadline twelve hours after its end in UTC", () => {
    expect(openDay(key, { now, timings }).effects).toEqual([
      { kind: "deadline", deadline: "dayTotals", due: "2026-11-22T12:00:00.000Z" },
    ]);
  });

  it("that is opened late leaves its terminal the grace time", () => {
    const late = "2026-11-25T10:00:00.000Z";
    expect(openDay(key, { now: late, timings }).effects).toMatchObject([{ due: after(late, timings.dayGraceSeconds) }]);
  });

  it("is compared only after its totals are stored", () => {
    const change = closeDay(opened(), closing(charges), { now, timings });
    expect(change.terminalDay.status).toBe("comparing");
    expect(effectsOf(change)).toEqual(["dayComparison", "dayGrace"]);
  });

  it("is closed, and the partner is notified, if terminal and books are equal", () => {
    const change = compared(told(charges), booksOf(charges));
    expect(change?.terminalDay).toMatchObject({ status: "closed", differences: [] });
    expect(effectsOf(change)).toEqual(["day.closed"]);
    expect(compared(afterwards(told(charges), booksOf(charges)), booksOf(charges))).toBeUndefined();
  });

  it("waits within the grace time, and is closed by the missing booking", () => {
    const waiting = compared(told(charges), booksOf(charges.slice(0, 1)));
    expect(waiting?.terminalDay.status).toBe("comparing");
    expect(waiting?.effects).toEqual([]);
    expect(afterwards(waiting?.terminalDay ?? opened(), booksOf(charges)).status).toBe("closed");
  });

  it("differs once the grace time is over: partner and operator learn which charge the terminal left out", () => {
    const change = compared(told(charges.slice(0, 1)), booksOf(charges), graceOver);
    expect(change?.terminalDay).toMatchObject({
      status: "differs",
      differences: [{ kind: "charge", more: "books", names: ["c2"], terminal: { count: 1, amount: 100 } }],
    });
    expect(effectsOf(change)).toEqual([
      "day.differs",
      "dayDiffers: charge: terminal 1 of 1.00 SEK, books 2 of 3.50 SEK; the books have more (c2)",
    ]);
  });

  it("differs at its grace deadline on a host whose clock is behind, and not at that of an earlier closing", () => {
    const day = told(charges);
    const compareAt = (graceDue: string) =>
      compareDay(day, booksOf([]), { now, timings, graceDue })?.terminalDay.status;
    expect(compareAt(graceOver)).toBe("differs");
    expect(compareAt(after(graceOver, -60))).toBe("comparing");
  });

  it("waits longer while a payment is under way, and no longer than for missing totals", () => {
    const day = told(charges);
    const change = compared(day, booksOf([], true), graceOver);
    expect(change?.terminalDay).toMatchObject({ status: "comparing", graceEndsAt: after(graceOver, 900) });
    expect(effectsOf(change)).toEqual(["dayGrace"]);
    expect(afterwards(day, booksOf([], true), after(now, timings.dayTotalsSeconds)).status).toBe("differs");
  });

  it.each([
    ["corrected totals", (day: TerminalDay) => afterwards(told(charges, day), booksOf(charges))],
    ["a late booking", (day: TerminalDay) => afterwards(day, booksOf([...charges, capture("c3", 5)]))],
  ])("that differs is closed by %s, and its alert says so", (what, mend) => {
    const all = what === "a late booking" ? [...charges, capture("c3", 5)] : charges.slice(0, 1);
    const differing = afterwards(told(all), booksOf(charges), graceOver);
    expect(differing.status).toBe("differs");
    const mended = mend(differing);
    expect(mended).toMatchObject({ status: "closed", isAlerted: false });
  });

  it("says on its alert that it is closed", () => {
    const differing = afterwards(told(charges.slice(0, 1)), booksOf(charges), graceOver);
    const change = compared(told(charges, differing), booksOf(charges));
    expect(effectsOf(change)).toEqual(["day.closed", "dayDiffers: the day is closed: terminal and books are equal"]);
  });

  it("that is closed differs at once if a booking comes late", () => {
    const closed = afterwards(told(charges), booksOf(charges));
    const change = compared(closed, booksOf([...charges, capture("c3", 5)]));
    expect(change?.terminalDay.status).toBe("differs");
    expect(effectsOf(change)?.[0]).toBe("day.differs");
  });

  it.each(["closed", "differs"] as const)(
    "that is %s is written again, without effects, after bookings that cancel each other",
    (status) => {
      const before = status === "closed" ? charges : [];
      const day = afterwards(told(charges), booksOf(before), graceOver);
      const cancelled = [capture("c3", 5), { ...capture("c3", 5), kind: "reversal" } as const];
      expect(compared(day, booksOf([...before, ...cancelled]))).toMatchObject({
        terminalDay: { status, booked: [{ reversal: { count: 1 } }] },
        effects: [],
      });
      expect(compared(day, booksOf(before))).toBeUndefined();
    },
  );

  it("differs although all sums are equal, if the books do not have the terminal's last charge", () => {
    const day = closeDay(opened(), closing(charges, { lastChargeId: "c9" }), { now, timings }).terminalDay;
    expect(afterwards(day, booksOf(charges), graceOver)).toMatchObject({
      status: "differs",
      differences: [{ more: "terminal", names: ["c9"] }],
    });
  });

  const reversal = (chargeId: string, amount: number): Movement => ({ ...capture(chargeId, amount), kind: "reversal" });
  it("differs if the terminal counts a last charge and a reversal of one amount, and the books have neither", () => {
    const counted = [capture("c9", 100), reversal("c1", 100)];
    const day = closeDay(opened(), closing(counted, { lastChargeId: "c9" }), { now, timings }).terminalDay;
    expect(afterwards(day, booksOf([]), graceOver)).toMatchObject({
      status: "differs",
      differences: [{ kind: "charge", currency: "SEK", more: "terminal", names: ["c9"] }],
    });
  });

  it("is closed if its last charge was given back, whether the terminal counts both movements or neither", () => {
    const booked = booksOf([capture("c1", 100), reversal("c1", 100)]);
    for (const counted of [booked.movements, []]) {
      const day = closeDay(opened(), closing(counted, { lastChargeId: "c1" }), { now, timings }).terminalDay;
      expect(afterwards(day, booked).status).toBe("closed");
    }
  });

  it("is missing after its deadline, and its alert says when the totals come", () => {
    const change = dayOverdue(opened(), { now, timings });
    expect(change?.terminalDay.status).toBe("missing");
    expect(effectsOf(change)).toEqual(["dayMissing: undefined"]);
    const late = closeDay(change?.terminalDay ?? opened(), closing(charges), { now, timings });
    expect(effectsOf(late)).toContain("dayMissing: the totals have come");
    expect(afterwards(late.terminalDay, booksOf(charges)).status).toBe("closed");
    expect(dayOverdue(late.terminalDay, { now, timings })).toBeUndefined();
  });

  it("is closed only by a comparison that found both equal", () => {
    const ways = dayStates.flatMap((from) => dayEvents.filter((event) => dayTransitions[from][event] === "closed"));
    expect([...new Set(ways)]).toEqual(["equal"]);
  });
});

describe("differences", () => {
  const names = (terminal: readonly Movement[], books: readonly Movement[]) =>
    afterwards(told(terminal), booksOf(books), graceOver).differences.map(({ names: of, more }) => [more, ...of]);

  it("name no charge if several would explain it", () => {
    const twice = [capture("c1", 100), capture("c2", 100)];
    expect(names(twice.slice(0, 1), twice)).toEqual([["books"]]);
  });

  it("name every charge of a day that the terminal left out as a whole", () => {
    expect(names([], charges)).toEqual([["books", "c1", "c2"]]);
  });

  it("are listed by currency and kind", () => {
    const refund: Movement = {
      kind: "refund",
      amount: 100,
      currency: "SEK",
      refundId: "r1",
      chargeId: "c1",
      sessionId: "s1",
    };
    const other: Movement = { ...capture("c4", 100), currency: "JPY" };
    expect(names([...charges, other], [...charges, refund])).toEqual([
      ["terminal"], // JPY
      ["books", "r1"],
    ]);
  });

  it("are empty if the terminal counts neither the capture nor the reversal of a charge that it gave back", () => {
    const reversal: Movement = { ...capture("c2", 250), kind: "reversal" };
    expect(names(charges.slice(0, 1), [...charges, reversal])).toEqual([]);
    expect(names([...charges, reversal], charges.slice(0, 1))).toEqual([]);
  });

  it("name a charge that two sessions captured, whether the terminal counts it once or twice", () => {
    const twice = [capture("c1", 100, "s1"), capture("c1", 100, "s2"), capture("c2", 250)];
    expect(names(twice, twice)).toEqual([["books", "c1"]]);
    expect(names(twice.slice(1), twice)).toEqual([["books"], ["books", "c1"]]);
  });

  it("show an operator a charge that two sessions captured", () => {
    const twice = [capture("c1", 100, "s1"), capture("c1", 100, "s2")];
    expect(effectsOf(compared(told(twice), booksOf(twice), graceOver))).toContain(
      "dayDiffers: sharedCharge: captured in several sessions (c1)",
    );
  });

  it("are empty if one session captured a charge, gave it back, and captured it again", () => {
    const own = capture("c1", 100, "s1");
    const all: Movement[] = [own, { ...own, kind: "reversal" }, own];
    expect(names(all, all)).toEqual([]);
  });

  it("are differences of exact sums: books that hold more are not rounded", () => {
    const most = capture("c1", MAX_SUM);
    expect(names([most], [most])).toEqual([]);
    expect(() => totalsOf([most, capture("c2", 1)])).toThrow(RangeError);
  });

  it("are found if only the counts or only the sums are equal", () => {
    expect(names([capture("c1", 100)], [capture("c1", 99)])).toEqual([["terminal"]]);
    expect(names([capture("c3", 350)], charges)).toEqual([["books"]]);
  });
});
