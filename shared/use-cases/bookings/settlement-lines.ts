import type { Booking } from "../../domain/booking.ts";
import type { Day } from "../../domain/time.ts";
import { dayTerminalRow, placeInFile } from "../../stores/keys.ts";
import type { DayTerminal } from "../../stores/partner-days.ts";
import { AT_ONCE } from "../each-of.ts";
import type { Needs } from "../needs.ts";
import type { Place } from "./settlement-cursor.ts";

/** The lines to read: those of these terminals, and of this merchant if it is named. */
export interface WantedLines {
  readonly date: Day;
  readonly merchantId?: string | undefined;
  readonly terminals: readonly DayTerminal[];
}

/** Lines in their order. */
export interface Lines {
  readonly lines: readonly Booking[];
  /** The place after the last line. Undefined if no line follows. */
  readonly end: Omit<Place, "totals"> | undefined;
}

/** The most terminals that one page reads. So a page may be short. */
const MOST_TERMINALS = 1_000;

/**
 * The first lines from a place on. The first terminal is read alone. Its number of lines tells how many of the next ones are read at the
 * same time, so that few rows are read in vain.
 */
export async function linesFrom(
  { bookings }: Needs<"bookings">,
  { date: day, merchantId, terminals }: WantedLines,
  from: Omit<Place, "totals">,
  { most, isWhole }: { readonly most: number; readonly isWhole: boolean },
): Promise<Lines> {
  const first = from.terminalId === "" ? "" : dayTerminalRow(from.terminalId);
  const left = terminals.filter(({ terminalId }) => dayTerminalRow(terminalId) >= first);
  const some = isWhole ? left : left.slice(0, MOST_TERMINALS);
  const lines: Booking[] = [];
  for (let i = 0, size = 1; i < some.length && lines.length <= most; i += size) {
    const wanted = most + 1 - lines.length;
    size = i === 0 ? 1 : Math.max(1, Math.min(AT_ONCE, Math.ceil((wanted * i) / Math.max(1, lines.length))));
    const files = await Promise.all(
      some.slice(i, i + size).map(({ terminalId }) => {
        const place = terminalId === from.terminalId ? from.inFile : "";
        return bookings.ofFile({ terminalId, day }, { place, atMost: wanted });
      }),
    );
    lines.push(...files.flat().filter((line) => merchantId === undefined || line.merchantId === merchantId));
  }
  const shown = lines.slice(0, most);
  const last = shown.at(-1);
  if (last && lines.length > most)
    return { lines: shown, end: { terminalId: last.terminalId, inFile: placeInFile(last) } };
  const reached = some.length < left.length ? some.at(-1) : undefined;
  return { lines: shown, end: reached && { terminalId: reached.terminalId, inFile: END_OF_FILE } };
}

/** Greater than every place in a file. */
const END_OF_FILE = "~";
