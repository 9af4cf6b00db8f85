import { storableDetail } from "../alert.ts";
import type { Effect } from "../effects.ts";
import { mendedDetail } from "../mended-alert.ts";
import { after, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { totalsDue, type DayClosing, type TerminalDay } from "./terminal-day.ts";
import { describeDifferences, differencesOf, totalsOf, type Difference, type Movement } from "./totals.ts";
import { dayTransitions, type DayEvent } from "./transitions.ts";

export interface DayContext {
  readonly now: Instant;
  readonly timings: Timings;
}

/** The context of a comparison, in addition to the day and its books. */
export interface ComparisonContext extends DayContext {
  /** When the grace deadline that led to this comparison was due. Undefined if another cause led to it. */
  readonly graceDue?: Instant | undefined;
}

export interface DayChange {
  readonly terminalDay: TerminalDay;
  readonly effects: readonly Effect<"terminalDay">[];
  /** The closing that made the change. It is stored under its own name, so that a repetition is recognised. */
  readonly closing?: DayClosing;
}

/** A new day. It is known only that money was booked on it, or that its terminal closes it. */
export type NewDay = Pick<TerminalDay, "partnerId" | "terminalId" | "day" | "terminalAsReceived">;

/** Opens a day at its first booking. Its effect is the deadline for its totals. */
export const openDay = (day: NewDay, { now, timings }: DayContext): DayChange => ({
  terminalDay: { ...unopened(day, now), sequence: 1 },
  effects: [{ kind: "deadline", deadline: "dayTotals", due: totalsDue(day.day, now, timings) }],
});

const unopened = (day: NewDay, now: Instant): TerminalDay => ({
  ...day,
  status: "open",
  differences: [],
  isAlerted: false,
  sequence: 0,
  createdAt: now,
  updatedAt: now,
});

/**
 * Takes a terminal's totals, the first ones of the day or corrected ones. The latest totals count. A later change compares them, so that
 * every booking is either in the compared books or finds the day no longer `open`.
 */
export function closeDay(known: TerminalDay | NewDay, closing: DayClosing, { now, timings }: DayContext): DayChange {
  const before = "status" in known ? known : unopened(known, now);
  const graceEndsAt = after(now, timings.dayGraceSeconds);
  const terminalDay = { ...moved(before, "totals", now), closing, graceEndsAt };
  return {
    terminalDay,
    closing,
    effects: [
      { kind: "deadline", deadline: "dayComparison", due: now },
      { kind: "deadline", deadline: "dayGrace", due: graceEndsAt },
      ...(before.status === "missing" ? [alert("dayMissing", mendedDetail.dayMissing)] : []),
    ],
  };
}

/** Alerts an operator if a day is open after its deadline. Undefined if its totals have come. */
export function dayOverdue(before: TerminalDay, { now }: DayContext): DayChange | undefined {
  if (dayTransitions[before.status].totalsOverdue === undefined) return undefined;
  return { terminalDay: moved(before, "totalsOverdue", now), effects: [alert("dayMissing", undefined)] };
}

/** The books of a day, read after the day itself. Each booking writes the day again, so a comparison that missed one fails on its ETag. */
export interface Books {
  readonly movements: readonly Movement[];
  /** A payment of the terminal may still move money on the day. */
  readonly isUnderWay: boolean;
}

/**
 * Compares the terminal's totals with the books. Undefined if nothing is to be written: no totals have come, or the comparison has the known
 * result of the known books. Unequal totals wait until the grace time is over. While a payment is under way, further grace times follow, for
 * at most `dayTotalsSeconds` after the closing.
 */
export function compareDay(before: TerminalDay, books: Books, context: ComparisonContext): DayChange | undefined {
  const { closing } = before;
  if (!closing) return undefined;
  const differences = differencesOf(closing, books.movements);
  const isWaiting = differences.length > 0 && mayWait(before, closing, books, context);
  const event = isWaiting ? "unequal" : eventOf(before, differences, context);
  const compared = { differences, booked: totalsOf(books.movements), comparedAt: context.now };
  const terminalDay = { ...moved(before, event, context.now), ...compared };
  if (isWaiting) return waiting(terminalDay, context);
  if (isNews(before, terminalDay)) return withNews(before, terminalDay);
  return isFirst(before, closing) || isOfOtherBooks(before, compared) ? { terminalDay, effects: [] } : undefined;
}

/**
 * The grace time is over when its deadline is delivered. Its end is not compared with the present: a host whose clock is behind would find
 * it too early, and no other deadline follows. The deadline of an earlier closing was due at another time.
 */
const isGraceOver = ({ graceEndsAt }: TerminalDay, { graceDue }: ComparisonContext): boolean =>
  graceDue !== undefined && graceDue === graceEndsAt;

function eventOf(before: TerminalDay, differences: readonly Difference[], context: ComparisonContext): DayEvent {
  if (differences.length === 0) return "equal";
  return isGraceOver(before, context) ? "unequalForLong" : "unequal";
}

/** Whether another grace time begins after the first. A payment that is under way may still move the missing money. */
const mayWait = (before: TerminalDay, { at }: DayClosing, { isUnderWay }: Books, context: ComparisonContext): boolean =>
  isUnderWay &&
  before.status === "comparing" &&
  isGraceOver(before, context) &&
  context.now < after(at, context.timings.dayTotalsSeconds);

const isNews = (before: TerminalDay, { status, differences }: TerminalDay): boolean =>
  status !== before.status || !isSame(differences, before.differences);

const isFirst = ({ comparedAt = "" }: TerminalDay, { at }: DayClosing): boolean => comparedAt < at;

function waiting(terminalDay: TerminalDay, { now, timings }: DayContext): DayChange {
  const graceEndsAt = after(now, timings.dayGraceSeconds);
  return {
    terminalDay: { ...terminalDay, graceEndsAt },
    effects: [{ kind: "deadline", deadline: "dayGrace", due: graceEndsAt }],
  };
}

/** The effects of a comparison whose result differs from the previous one. */
function withNews(before: TerminalDay, terminalDay: TerminalDay): DayChange {
  switch (terminalDay.status) {
    case "closed":
      return {
        terminalDay: { ...terminalDay, isAlerted: false },
        effects: [
          { kind: "webhook", type: "day.closed" },
          ...(before.isAlerted ? [alert("dayDiffers", mendedDetail.dayDiffers)] : []),
        ],
      };
    case "differs":
      return {
        terminalDay: { ...terminalDay, isAlerted: true },
        effects: [
          { kind: "webhook", type: "day.differs" },
          alert("dayDiffers", storableDetail(describeDifferences(terminalDay.differences))),
        ],
      };
    default:
      return { terminalDay, effects: [] };
  }
}

const alert = (kind: "dayDiffers" | "dayMissing", detail: string | undefined): Effect<"terminalDay"> => ({
  kind: "alert",
  alert: kind,
  detail,
});

/** Movements that cancel each other change the totals of the books, and no difference. */
const isOfOtherBooks = (before: TerminalDay, { booked }: Pick<TerminalDay, "booked">): boolean =>
  JSON.stringify(before.booked) !== JSON.stringify(booked);

const isSame = (one: readonly Difference[], other: readonly Difference[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const moved = (before: TerminalDay, event: DayEvent, now: Instant): TerminalDay => ({
  ...before,
  status: dayTransitions[before.status][event] ?? before.status,
  sequence: before.sequence + 1,
  updatedAt: now,
});
