import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { minorOf } from "./minor-of.ts";
import type { Movement } from "./session.ts";
import type { TerminalMemory } from "./memory.ts";
import type { DayClosing, MajorTotals } from "./terminal-client.ts";

/** The business day of a terminal that uses UTC days: `2026-11-21`. */
export const dayInUtc = (): string => new Date().toISOString().slice(0, 10);

/** How a terminal miscounts its captured charges: it omits the last one, or counts it twice. */
export type Lie = "leavesOneOut" | "countsOneTwice";

/** A terminal's totals of its day. */
export type SaidDay = Omit<DayClosing, "closingID">;

/**
 * The totals of a business day and its last captured charge, counted from a terminal's journal. A lie needs a captured charge. Without one
 * the totals are correct.
 */
export function countDay(journal: readonly Movement[], businessDay: string, lie?: Lie): SaidDay {
  const counted = liedAbout(countedOn(journal, businessDay), lie);
  const lastChargeID = counted.findLast(({ as }) => as === "capture")?.chargeID;
  const totals = [...Map.groupBy(counted, ({ currency }) => currency)]
    .map(([currency, own]) => totalsOf(currency, own))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
  return { businessDay, totals, ...(lastChargeID !== undefined && { lastChargeID }) };
}

/** The business day that a person closes next: the first one with movements that was never closed, otherwise today. */
export const dayToClose = ({ movements, closings }: TerminalMemory, today: string): string =>
  movements.find(({ businessDay = today }) => !closings.has(businessDay))?.businessDay ?? today;

/** A movement as totals count it. */
export interface Counted extends Pick<Movement, "chargeID" | "currency" | "card" | "acquirer"> {
  readonly as: "capture" | "refund" | "reversal";
  /** Minor units. */
  readonly amount: number;
}

/** The movements of a business day that totals count, in order. */
export const countedOn = (journal: readonly Movement[], day: string): readonly Counted[] =>
  journal.flatMap(countedOf(journal, day));

/**
 * Counts a movement of the day. A void reverses the captured amount, whatever day the capture was on. A charge, and the void of a charge
 * that was not captured, do not count.
 */
const countedOf =
  (journal: readonly Movement[], day: string) =>
  ({ moved, businessDay, ...movement }: Movement): Counted[] => {
    if (businessDay !== day || moved === "charge") return [];
    if (moved !== "void") return [{ ...movement, as: moved, amount: minorOf(movement.amount, movement.currency) }];
    const captured = journal.find((one) => one.moved === "capture" && one.chargeID === movement.chargeID);
    return captured ? [{ ...movement, as: "reversal", amount: minorOf(captured.amount, captured.currency) }] : [];
  };

function liedAbout(counted: readonly Counted[], lie: Lie | undefined): readonly Counted[] {
  const last = counted.findLast(({ as }) => as === "capture");
  if (!last || lie === undefined) return counted;
  return lie === "leavesOneOut" ? counted.filter((one) => one !== last) : [...counted, last];
}

function totalsOf(currency: string, counted: readonly Counted[]): MajorTotals {
  const of = (kind: Counted["as"]) => counted.filter(({ as }) => as === kind);
  const sum = (kind: Counted["as"]) =>
    fromMinorUnits(
      of(kind).reduce((total, { amount }) => total + amount, 0),
      currency,
    );
  return {
    currency,
    captures: of("capture").length,
    captured: sum("capture"),
    refunds: of("refund").length,
    refunded: sum("refund"),
    reversals: of("reversal").length,
    reversed: sum("reversal"),
  };
}
