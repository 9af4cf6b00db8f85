import type { DayClosing, TerminalDay } from "../domain/terminal-day/terminal-day.ts";
import type { Day } from "../domain/time.ts";
import type { NewCommand } from "./commands.ts";
import type { TerminalDayKey } from "./subjects.ts";

export interface StoredTerminalDay {
  readonly terminalDay: TerminalDay;
  readonly etag: string;
}

/** What one entity group writes. */
export interface TerminalDayCommit {
  readonly terminalDay: TerminalDay;
  /** ETag of the day as it was read; undefined for a new one. */
  readonly etag: string | undefined;
  /** The closing that made the change; undefined where another cause did. */
  readonly closing?: DayClosing | undefined;
  readonly command: NewCommand | undefined;
}

/** The business days of terminals, one partition for each partner and day. */
export interface TerminalDays {
  find(key: TerminalDayKey): Promise<StoredTerminalDay | undefined>;
  /** Every terminal of the partner that has booked or closed on that day. */
  ofDay(partnerId: string, day: Day): Promise<TerminalDay[]>;
  /** A closing by its own identifier, whether it is the latest one or not. */
  findClosing(key: TerminalDayKey, closingId: string): Promise<DayClosing | undefined>;
  /** Throws `Conflict` when the day changed since it was read, the closing was taken before, or the command was aborted. */
  commit(commit: TerminalDayCommit): Promise<void>;
}
