import type { Session } from "./session.ts";
import type { Outgoing, TerminalReport } from "./terminal-client.ts";

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
  /** Its unsent reports, in order. */
  readonly outbox: Outgoing[];
}

export const emptyMemory = (): TerminalMemory => ({
  isKept: false,
  reports: new Map(),
  sessions: new Map(),
  refused: new Set(),
  outbox: [],
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
