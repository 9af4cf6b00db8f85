import type { Session } from "./session.ts";
import type { Outgoing, TerminalReport } from "./terminal-client.ts";

/** What a terminal keeps through a power cut, as exactly-once demands of it: its disk. */
export interface TerminalMemory {
  /** The platform knows that it begins with nothing: whatever it was given since is in it. */
  isKept: boolean;
  /** What each message was answered with, by its identifier: a repeat gets the same again. */
  readonly told: Map<string, TerminalReport[]>;
  /** The payments that it began. */
  readonly sessions: Map<string, Session>;
  /** Sessions that it was to cancel, or said that it had not started: it never begins them. */
  readonly refused: Set<string>;
  /** What it has to report, in order. */
  readonly outbox: Outgoing[];
}

export const emptyMemory = (): TerminalMemory => ({
  isKept: false,
  told: new Map(),
  sessions: new Map(),
  refused: new Set(),
  outbox: [],
});

/**
 * After a power cut: what was fetched and not carried out is obeyed when it comes again, and the payments at the card reader have
 * failed. Those are returned: their end is still to be told.
 */
export function afterPowerCut({ told, sessions }: TerminalMemory): readonly Session[] {
  const begun = new Set([...sessions.values()].map(({ message }) => message.messageID));
  for (const [messageID, reports] of told) if (reports.length === 0 && !begun.has(messageID)) told.delete(messageID);
  const interrupted = [...sessions.values()].filter(({ ending }) => !ending);
  for (const session of interrupted) session.ending = ["failed", { detail: "the power was cut" }];
  return interrupted;
}
