import type { Outgoing } from "./outbox.ts";
import type { Movement, Session } from "./session.ts";
import type { DayClosing, TerminalReport } from "./terminal-client.ts";

/** A terminal's persistent memory. It survives a power cut, which exactly-once requires. */
export interface TerminalMemory {
  /** The platform knows that the terminal began without memory. Everything received since then is in this memory. */
  isKept: boolean;
  /** The reports that answered each message, by its identifier. A repeated message gets the same reports. */
  readonly reports: Map<string, TerminalReport[]>;
  /** The payments that the terminal began. */
  readonly sessions: Map<string, Session>;
  /** Sessions that were cancelled, or reported as not started. The terminal never begins them. */
  readonly refused: Set<string>;
  /** Its unsent reports and closings, in order. */
  readonly outbox: Outgoing[];
  /** Its journal: each movement of money on a card, in order. */
  readonly movements: Movement[];
  /** The business day that it closes next. Undefined before its first day. */
  openDay: string | undefined;
  /** The latest closing of each business day, by the day. */
  readonly closings: Map<string, DayClosing>;
}

/** The storage of a terminal's memory. */
export interface MemoryStore {
  /** A different object after `forget`. */
  readonly memory: TerminalMemory;
  /** Stores the current memory. */
  save(): void;
  /** Replaces it with an empty memory, which the terminal reports as lost. */
  forget(): void;
}

/** A memory that survives power cuts, but not the end of this process. */
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
 * Prepares the memory after a power cut. A message that was fetched but not carried out is obeyed when it is delivered again. Payments at
 * the card reader have failed. Returns those payments, because their end must still be reported.
 */
export function afterPowerCut({ reports, sessions }: TerminalMemory): readonly Session[] {
  const begun = new Set([...sessions.values()].map(({ message }) => message.messageID));
  for (const [messageID, sent] of reports) if (sent.length === 0 && !begun.has(messageID)) reports.delete(messageID);
  const interrupted = [...sessions.values()].filter(({ ending }) => !ending);
  for (const session of interrupted) session.ending = ["failed", { detail: "the power was cut" }];
  return interrupted;
}

/**
 * The business day that has ended since the last call and must be closed. Undefined if the day has not changed. Makes today the open day.
 */
export function endedDay(memory: TerminalMemory, today: string): string | undefined {
  const { openDay = today } = memory;
  if (today < openDay) return undefined; // a clock that was set back does not open a day again
  memory.openDay = today;
  return openDay === today ? undefined : openDay;
}
