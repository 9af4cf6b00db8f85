import * as z from "zod";
import type { Booking, BookingKind } from "../booking.ts";
import { minorUnits } from "../minor-units.ts";
import { plus, shownMoney } from "../money.ts";
import type { RecordOf } from "../record.ts";

/** The movements of money that a terminal counts. */
type MovementKind = Exclude<BookingKind, "correction">;

/** A number of movements, and their sum in minor units. */
const totalRecord = z.object({ count: z.int(), amount: minorUnits });
export interface Total extends RecordOf<typeof totalRecord> {}

/** The totals of one currency, in its minor units. The amounts of each kind have no sign. */
const currencyTotalsRecord = z.object({
  currency: z.string(),
  capture: totalRecord,
  refund: totalRecord,
  reversal: totalRecord,
});
export interface CurrencyTotals extends RecordOf<typeof currencyTotalsRecord> {}
export const totalsRecord = z.array(currencyTotalsRecord);
export type Totals = RecordOf<typeof totalsRecord>;

/** One movement in the books of a terminal's day. */
export interface Movement extends Pick<Booking, "currency" | "sessionId" | "chargeId" | "refundId"> {
  readonly kind: MovementKind;
  /** 1 if absent. 0 if it only changes the amount of another movement. A correction also has -1 if it undoes a movement. */
  readonly count?: number;
  /** Minor units. Below zero if it takes away money of this kind. */
  readonly amount: number;
}

/**
 * The bookings that a terminal counts too: its own, and the corrections whose day an operator named. A correction that was undone is left
 * out, and so is the correction that undid it.
 */
export function movementsOf(bookings: readonly Booking[]): Movement[] {
  const reported = bookings.filter(({ kind }) => kind !== "correction").flatMap(movementOf);
  const corrections = bookings.filter(({ kind }) => kind === "correction").flatMap(movementOf);
  const standing = corrections.reduce<readonly Movement[]>((before, one) => {
    const i = before.findIndex((other) => isOpposite(one, other));
    return i < 0 ? [...before, one] : before.toSpliced(i, 1);
  }, []);
  return [...reported, ...standing];
}

function movementOf({ kind, counted, direction, amount, ...booking }: Booking): Movement[] {
  if (!counted) return kind === "correction" ? [] : [{ ...booking, kind, amount }];
  const isUsual = (counted.kind === "capture") === (direction === "credit");
  return [{ ...booking, ...counted, amount: isUsual ? amount : -amount }];
}

const isOpposite = (one: Movement, other: Movement): boolean =>
  one.amount === -other.amount &&
  one.count === -(other.count ?? 1) &&
  one.kind === other.kind &&
  one.currency === other.currency &&
  one.sessionId === other.sessionId &&
  one.chargeId === other.chargeId &&
  one.refundId === other.refundId;

/**
 * The kinds that are compared. `charge`: captures less reversals. So a charge that was captured and given back on one day counts for
 * nothing, whether its terminal counts both or neither.
 */
const comparedKinds = ["charge", "refund"] as const;
type ComparedKind = (typeof comparedKinds)[number];

/**
 * The kinds of difference. `sharedCharge`: several sessions captured one charge, whatever the counts. A terminal gives each charge its own
 * name. So one charge was taken for the money of two payments, or two charges have one name.
 */
const differenceKinds = [...comparedKinds, "sharedCharge"] as const;

/** A difference between the counts of the terminal and of the books, in one currency. */
export const differenceRecord = z.object({
  currency: z.string(),
  kind: z.enum(differenceKinds),
  terminal: totalRecord,
  booked: totalRecord,
  /** The side with more money, or with more movements if the sums are equal. */
  more: z.enum(["terminal", "books"]),
  /**
   * The charges or refunds that explain the difference by themselves, as far as totals can show that. They are the movements of the books
   * that the terminal left out, or the terminal's last charge if the books lack it. Empty if several explanations fit. For `sharedCharge`,
   * they are the shared charges.
   */
  names: z.array(z.string()),
});
export interface Difference extends RecordOf<typeof differenceRecord> {}

const nothing: Total = { count: 0, amount: 0 };

/**
 * The totals of the movements by currency, in the order of the codes. A currency without movements is left out. Throws `RangeError` as
 * `plus` does.
 */
export const totalsOf = (movements: readonly Movement[]): Totals =>
  [...Map.groupBy(movements, ({ currency }) => currency)]
    .map(([currency, own]) => ({
      currency,
      capture: totalOf(own, "capture"),
      refund: totalOf(own, "refund"),
      reversal: totalOf(own, "reversal"),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));

const totalOf = (movements: readonly Movement[], kind: MovementKind): Total =>
  movements
    .filter((one) => one.kind === kind)
    .reduce((sum, { count = 1, amount }) => ({ count: sum.count + count, amount: plus(sum.amount, amount) }), nothing);

/** A terminal's statement about its day. */
export interface SaidTotals {
  readonly totals: Totals;
  /** The last charge that it captured on that day. */
  readonly lastChargeId?: string | undefined;
}

/**
 * The differences between a terminal's totals and the movements in the books. Empty if they are equal. Every count and every sum must be
 * equal, and the books must have the terminal's last charge: two errors of one amount would otherwise cancel each other. A shared charge is
 * a further difference.
 */
export function differencesOf(said: SaidTotals, movements: readonly Movement[]): Difference[] {
  const booked = totalsOf(movements);
  const currencies = [...new Set([...said.totals, ...booked].map(({ currency }) => currency))].toSorted();
  const found = currencies.flatMap((currency) =>
    comparedKinds.flatMap((kind) => {
      const terminal = totalIn(said.totals, currency, kind);
      const books = totalIn(booked, currency, kind);
      if (terminal.count === books.count && terminal.amount === books.amount) return [];
      const adding = kind === "charge" ? "capture" : kind;
      const own = movements.filter((one) => one.kind === adding && one.currency === currency);
      return [differenceOf({ currency, kind, terminal, booked: books }, own, unbookedCharge(said, movements))];
    }),
  );
  const counted = found.length > 0 ? found : ofLastCharge(said, movements, booked);
  return [...counted, ...ofSharedCharges(said, movements, booked)];
}

function totalIn(totals: Totals, currency: string, kind: ComparedKind): Total {
  const {
    capture = nothing,
    reversal = nothing,
    refund = nothing,
  } = totals.find((one) => one.currency === currency) ?? {};
  if (kind === "refund") return refund;
  return { count: capture.count - reversal.count, amount: capture.amount - reversal.amount };
}

function differenceOf(
  counted: Pick<Difference, "currency" | "kind" | "terminal" | "booked">,
  movements: readonly Movement[],
  unbooked: string | undefined,
): Difference {
  const { kind, terminal, booked } = counted;
  const isTerminals =
    terminal.amount === booked.amount ? terminal.count > booked.count : terminal.amount > booked.amount;
  if (!isTerminals) return { ...counted, more: "books", names: leftOut(counted, movements) };
  return { ...counted, more: "terminal", names: kind === "charge" && unbooked !== undefined ? [unbooked] : [] };
}

/** The movements of the books that the terminal left out, if only one explanation fits: one movement of that amount, or all of them. */
function leftOut(
  { terminal, booked }: Pick<Difference, "terminal" | "booked">,
  movements: readonly Movement[],
): string[] {
  const [count, amount] = [booked.count - terminal.count, booked.amount - terminal.amount];
  const fitting =
    count === 1 ? movements.filter((one) => one.amount === amount) : count === movements.length ? movements : [];
  const isCertain = fitting.length === count && fitting.length <= MAX_NAMES;
  return isCertain ? fitting.flatMap(({ refundId, chargeId }) => refundId ?? chargeId ?? []) : [];
}

/** The most names in one difference. They appear in an alert and in a webhook. */
const MAX_NAMES = 20;

/** The terminal's last charge, if the books lack it. A correction without a known charge may be of any charge, so it counts as that one. */
const unbookedCharge = ({ lastChargeId }: SaidTotals, movements: readonly Movement[]): string | undefined =>
  movements.some(({ kind, chargeId = lastChargeId }) => kind === "capture" && chargeId === lastChargeId)
    ? undefined
    : lastChargeId;

/**
 * The difference of a day whose counts and sums are equal although the books lack the terminal's last charge. Its currency is one with
 * captures, or else any counted currency. Totals without a currency do not differ.
 */
function ofLastCharge(said: SaidTotals, movements: readonly Movement[], booked: Totals): Difference[] {
  const unbooked = unbookedCharge(said, movements);
  const counted = [...booked, ...said.totals];
  const { currency } = counted.find(({ capture }) => capture.count > 0) ?? counted[0] ?? {};
  if (unbooked === undefined || currency === undefined) return [];
  const both = totalIn(booked, currency, "charge");
  return [{ currency, kind: "charge", terminal: both, booked: both, more: "terminal", names: [unbooked] }];
}

/** The charges that several sessions captured and did not give back, by currency. */
function ofSharedCharges({ totals }: SaidTotals, movements: readonly Movement[], booked: Totals): Difference[] {
  return booked.flatMap(({ currency }): Difference[] => {
    const own = movements.filter(
      (one) => one.currency === currency && one.kind !== "refund" && one.chargeId !== undefined,
    );
    const shared = [...Map.groupBy(own, ({ chargeId = "" }) => chargeId)].filter(([, of]) => holders(of) > 1);
    if (shared.length === 0) return [];
    const [terminal, books] = [totalIn(totals, currency, "charge"), totalIn(booked, currency, "charge")];
    const names = shared
      .map(([chargeId]) => chargeId)
      .toSorted()
      .slice(0, MAX_NAMES);
    return [{ currency, kind: "sharedCharge", terminal, booked: books, more: "books", names }];
  });
}

/** The number of sessions that captured the charge of these movements and did not give it back. */
const holders = (movements: readonly Movement[]): number =>
  [...Map.groupBy(movements, ({ sessionId }) => sessionId).values()].filter(
    (own) => totalOf(own, "capture").count > totalOf(own, "reversal").count,
  ).length;

/** The differences in one line for an operator, with amounts in the major unit. */
export const describeDifferences = (differences: readonly Difference[]): string => differences.map(describe).join("; ");

function describe({ currency, kind, terminal, booked, more, names }: Difference): string {
  const shown = ({ count, amount }: Total) => `${count} of ${shownMoney(amount, currency)}`;
  if (kind === "sharedCharge") return `${kind}: captured in several sessions (${names.join(", ")})`;
  const named = names.length > 0 ? ` (${names.join(", ")})` : "";
  return `${kind}: terminal ${shown(terminal)}, books ${shown(booked)}; the ${more === "terminal" ? "terminal has" : "books have"} more${named}`;
}
