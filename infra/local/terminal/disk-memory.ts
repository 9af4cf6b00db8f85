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
import type { Movement, Session } from "./session.ts";
import type { TerminalClient } from "./terminal-client.ts";

/** A terminal's memory in a folder. */
export interface DiskMemory {
  readonly memory: TerminalMemory;
  /** Books a movement of money. It reaches the acquirer's book with the next `save`. */
  readonly moved: (movement: Movement) => void;
  /** Writes the whole memory, so that a power cut leaves the former or the new one. */
  save(): void;
}

interface StoredSession extends Pick<Session, "message" | "currency" | "total" | "ending" | "charges"> {
  readonly refunds: readonly (readonly [string, NonNullable<Session["ending"]>])[];
}

interface StoredMemory extends Pick<TerminalMemory, "isKept" | "outbox"> {
  readonly reports: readonly (readonly [string, ReturnType<TerminalMemory["reports"]["get"]> & object])[];
  readonly sessions: readonly (readonly [string, StoredSession])[];
  readonly refused: readonly string[];
}

/**
 * Reads the memory of the folder. A folder without a readable memory gives an empty one, of which the terminal reports that it is lost.
 *
 * @param book the file of the acquirer, which outlives the memory: a line of JSON for each movement of money
 */
export function diskMemory(folder: string, book?: string): DiskMemory {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "memory.json");
  let unbooked: Movement[] = [];
  const moved = (movement: Movement) => void unbooked.push(movement);
  const memory = read(file, moved);
  return {
    memory,
    moved,
    save() {
      replaceFile(file, JSON.stringify(stored(memory)));
      if (book !== undefined && unbooked.length > 0)
        appendFileSync(book, unbooked.map((movement) => `${JSON.stringify(movement)}\n`).join(""));
      unbooked = [];
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

const stored = ({ isKept, reports, sessions, refused, outbox }: TerminalMemory): StoredMemory => ({
  isKept,
  outbox,
  reports: [...reports],
  refused: [...refused],
  sessions: [...sessions].map(([key, { message, currency, total, ending, charges, refunds }]) => [
    key,
    { message, currency, total, ending, charges, refunds: [...refunds] },
  ]),
});

function read(file: string, moved: Session["moved"]): TerminalMemory {
  let found: StoredMemory;
  try {
    found = JSON.parse(readFileSync(file, "utf8")) as StoredMemory;
  } catch {
    return emptyMemory(); // no file, or one that a foreign hand has changed
  }
  return {
    isKept: found.isKept,
    outbox: [...found.outbox],
    reports: new Map(found.reports),
    refused: new Set(found.refused),
    sessions: new Map(found.sessions.map(([key, session]) => [key, revived(session, moved)])),
  };
}

/** The script is not stored: the amount says it. */
function revived(session: StoredSession, moved: Session["moved"]): Session {
  const { totalAmountInclVat = 0, currency = "" } = session.message;
  return {
    ...session,
    ending: session.ending, // absent in the file where there is none
    script: scriptFor(totalAmountInclVat, currency),
    refunds: new Map(session.refunds),
    cancelling: new AbortController(),
    moved,
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
