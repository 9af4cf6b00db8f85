import type { TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { describeDifferences } from "../../../shared/domain/terminal-day/totals.ts";
import { TERMINAL_DAY_PREFIX } from "../../../shared/stores/keys.ts";
import { kindOfRow } from "../../../shared/stores/row-kind.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { dayRecord } from "../../../shared/stores/terminal-days.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import type { DayView } from "./views/days.ts";

/** The newest business day of each terminal. An older day that a terminal closes late, after the next one has begun, is not shown. */
export interface NewestDays {
  /** Reads the days of a terminal's partition again. */
  read(partition: string): Promise<void>;
  all(): readonly DayView[];
}

export function newestDays(terminals: Rows): NewestDays {
  const byTerminal = new Map<string, DayView>();
  return {
    async read(partition) {
      for (const row of await terminals.withPrefix(partition, TERMINAL_DAY_PREFIX)) {
        if (kindOfRow(row.rowKey) !== "day") continue; // a closing, a command or an attempt
        const { terminalDay } = fromRow(row, dayRecord);
        if (!terminalDay) continue; // it has only bookings
        const view = dayView(terminalDay);
        const { businessDay = view.businessDay } = byTerminal.get(view.terminalId) ?? {};
        if (view.businessDay >= businessDay) byTerminal.set(view.terminalId, view);
      }
    },
    all: () => [...byTerminal.values()],
  };
}

const dayView = ({ terminalId, day, status, graceEndsAt, differences }: TerminalDay): DayView => ({
  terminalId,
  businessDay: day,
  status,
  ...(graceEndsAt !== undefined && { graceEndsAt: Date.parse(graceEndsAt) }),
  differences: differences.map((one) => describeDifferences([one])),
});
