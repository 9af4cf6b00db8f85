import { countDay, dayInUtc, dayToClose } from "../../terminal/simulated/business-day.ts";
import { minorOf } from "../../terminal/simulated/minor-of.ts";
import type { TerminalMemory } from "../../terminal/simulated/memory.ts";
import type { CountedDay } from "./views/days.ts";

/** The business day that a terminal closes next, with the terminal's own totals. */
export function countedDay(memory: TerminalMemory): CountedDay {
  const { businessDay, totals } = countDay(memory.movements, dayToClose(memory, dayInUtc()));
  return {
    businessDay,
    totals: totals.map((one) => {
      const minor = (sum: number) => minorOf(sum, one.currency);
      return { ...one, captured: minor(one.captured), refunded: minor(one.refunded), reversed: minor(one.reversed) };
    }),
  };
}
