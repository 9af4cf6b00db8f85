import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { emptyMemory, type TerminalMemory } from "./memory.ts";
import { scriptFor } from "./scripts.ts";
import type { Session } from "./session.ts";
import type { TerminalClient } from "./terminal-client.ts";

/** A terminal's memory in a folder. */
export interface DiskMemory {
  readonly memory: TerminalMemory;
  /** Books what moved since the last time, and writes the whole memory, so that a power cut leaves the former or the new one. */
  save(): void;
}

interface StoredSession extends Pick<Session, "message" | "currency" | "total" | "ending" | "charges"> {
  readonly refunds: readonly (readonly [string, NonNullable<Session["ending"]>])[];
}

interface StoredMemory extends Pick<TerminalMemory, "isKept" | "outbox" | "movements" | "openDay"> {
  readonly reports: readonly (readonly [string, ReturnType<TerminalMemory["reports"]["get"]> & object])[];
  readonly sessions: readonly (readonly [string, StoredSession])[];
  readonly refused: readonly string[];
  readonly closings: readonly (readonly [string, ReturnType<TerminalMemory["closings"]["get"]> & object])[];
}

/**
 * Reads the memory of the folder. A folder without a readable memory gives an empty one, of which the terminal reports that it is lost.
 *
 * @param book the file of the acquirer, which outlives the memory: a line of JSON for each movement of money
 */
export function diskMemory(folder: string, book?: string): DiskMemory {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "memory.json");
  const memory = read(file);
  let booked = memory.movements.length;
  return {
    memory,
    save() {
      replaceFile(file, JSON.stringify(stored(memory)));
      const unbooked = memory.movements.slice(booked);
      if (book !== undefined && unbooked.length > 0)
        appendFileSync(book, unbooked.map((movement) => `${JSON.stringify(movement)}\n`).join(""));
      booked += unbooked.length;
    },
  };
}

/** The client of a terminal that saves its memory before anything leaves it. */
export const savingFirst = (client: TerminalClient, save: () => void): TerminalClient => ({
  async next(...given) {
    save();
    return client.next(...given);
  },
  async report(...given) {
    save();
    return client.report(...given);
  },
  async raiseActionRequest(...given) {
    save();
    return client.raiseActionRequest(...given);
  },
  async closeDay(...given) {
    save();
    return client.closeDay(...given);
  },
});

const stored = ({ reports, sessions, refused, closings, ...plain }: TerminalMemory): StoredMemory => ({
  ...plain,
  reports: [...reports],
  refused: [...refused],
  closings: [...closings],
  sessions: [...sessions].map(([key, { message, currency, total, ending, charges, refunds }]) => [
    key,
    { message, currency, total, ending, charges, refunds: [...refunds] },
  ]),
});

function read(file: string): TerminalMemory {
  try {
    return memoryOf(JSON.parse(readFileSync(file, "utf8")) as StoredMemory);
  } catch {
    return emptyMemory(); // no file, or one that a foreign hand has changed
  }
}

const memoryOf = ({ isKept, openDay, ...found }: StoredMemory): TerminalMemory => ({
  isKept,
  openDay, // absent in the file where there is none
  outbox: [...found.outbox],
  movements: [...found.movements],
  reports: new Map(found.reports),
  refused: new Set(found.refused),
  closings: new Map(found.closings),
  sessions: new Map(found.sessions.map(([key, session]) => [key, revived(session)])),
});

/** The script is not stored: the amount says it. */
function revived(session: StoredSession): Session {
  const { totalAmountInclVat = 0, currency = "" } = session.message;
  return {
    ...session,
    ending: session.ending, // absent in the file where there is none
    script: scriptFor(totalAmountInclVat, currency),
    refunds: new Map(session.refunds),
    cancelling: new AbortController(),
  };
}

/** Replaces the file as a whole. Its content is on the disk before it takes the old one's name. */
function replaceFile(file: string, content: string): void {
  const next = `${file}.next`;
  const descriptor = openSync(next, "w", 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}
