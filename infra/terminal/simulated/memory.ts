import type { Outgoing } from "./outbox.ts";
import type { Movement, Session } from "./session.ts";
import type { DayClosing, TerminalReport } from "./terminal-client.ts";

/** A terminal's persistent memory, which survives a power cut, as exactly-once requires. */
export interface TerminalMemory {
  /** The platform knows that the terminal began without memory; everything received since then is in it. */
  isKept: boolean;
  /** The reports that answered each message, by its identifier: a repeat gets the same reports. */
  readonly reports: Map<string, TerminalReport[]>;
  /** The payments that the terminal began. */
  readonly sessions: Map<string, Session>;
  /** Sessions that it had to cancel, or reported as not started: it never begins them. */
  readonly refused: Set<string>;
  /** Its unsent reports and closings, in order. */
  readonly outbox: Outgoing[];
  /** Its journal: each movement of money on a card, in order. */
  readonly movements: Movement[];
  /** The business day that it closes next; undefined before its first one. */
  openDay: string | undefined;
  /** The latest closing of each business day, by the day. */
  readonly closings: Map<string, DayClosing>;
}

/** Where a terminal has its memory. */
export interface MemoryStore {
  /** Another one after it was forgotten. */
  readonly memory: TerminalMemory;
  /** Stores the memory as it is now. */
  save(): void;
  /** Puts an empty memory in its place, of which the terminal reports that it is lost. */
  forget(): void;
}

/** A memory that survives power cuts, and is lost with this process. */
export function volatileMemory(): MemoryStore {
  let memory = emptyMemory();
  return {
    get memory() {
      return memory;
    },
    save() {},
    forget: () => void (memory = emptyMemory()),
  };
}

export const emptyMemory = (): TerminalMemory => ({
  isKept: false,
  reports: new Map(),
  sessions: new Map(),
  refused: new Set(),
  outbox: [],
  movements: [],
  openDay: undefined,
  closings: new Map(),
});

/**
 * The state after a power cut: a message that was fetched and not carried out is obeyed when it is delivered again, and the payments at the
 * card reader have failed. Returns those payments, because their end is still to be reported.
 */
export function afterPowerCut({ reports, sessions }: TerminalMemory): readonly Session[] {
  const begun = new Set([...sessions.values()].map(({ message }) => message.messageID));
  for (const [messageID, sent] of reports) if (sent.length === 0 && !begun.has(messageID)) reports.delete(messageID);
  const interrupted = [...sessions.values()].filter(({ ending }) => !ending);
  for (const session of interrupted) session.ending = ["failed", { detail: "the power was cut" }];
  return interrupted;
}

/** The business day that has ended since the last look, which is to be closed; undefined where the same day goes on. Opens the day of now. */
export function endedDay(memory: TerminalMemory, today: string): string | undefined {
  const { openDay = today } = memory;
  if (today < openDay) return undefined; // a clock that was put back opens no day again
  memory.openDay = today;
  return openDay === today ? undefined : openDay;
}
