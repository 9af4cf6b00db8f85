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
import { acquirerFile } from "./acquirer-file.ts";
import { emptyMemory, type MemoryStore, type TerminalMemory } from "./memory.ts";
import type { Session } from "./session.ts";

interface StoredSession extends Omit<Session, "cancelling" | "refunds"> {
  readonly refunds: readonly (readonly [string, NonNullable<Session["ending"]>])[];
}

interface StoredMemory extends Pick<TerminalMemory, "isKept" | "outbox" | "movements" | "openDay"> {
  readonly reports: readonly (readonly [string, ReturnType<TerminalMemory["reports"]["get"]> & object])[];
  readonly sessions: readonly (readonly [string, StoredSession])[];
  readonly refused: readonly string[];
  readonly closings: readonly (readonly [string, ReturnType<TerminalMemory["closings"]["get"]> & object])[];
}

/**
 * Reads the memory from the folder. If the folder has no readable memory, the memory is empty, and the terminal reports it as lost. Each
 * save replaces the whole memory atomically, so a power cut leaves the old or the new version. It then books the movements since the last
 * save. For each new closing of a day it writes the acquirer's file of that day beside the memory, `acquirer-2026-11-21.csv`.
 *
 * @param book the file of the acquirer's bookings, which survives the memory: one line of JSON for each movement of money
 */
export function diskMemory(folder: string, book?: string): MemoryStore {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "memory.json");
  let memory = read(file);
  let booked = memory.movements.length;
  const written = new Map<string, string>();
  const writeClosedDays = ({ movements, closings }: TerminalMemory): void => {
    for (const [day, { closingID }] of closings) {
      if (written.get(day) === closingID) continue;
      writeFileSync(join(folder, `acquirer-${day}.csv`), acquirerFile(movements, day));
      written.set(day, closingID);
    }
  };
  return {
    get memory() {
      return memory;
    },
    forget() {
      memory = emptyMemory();
      booked = 0;
    },
    save() {
      replaceFile(file, JSON.stringify(stored(memory)));
      const unbooked = memory.movements.slice(booked);
      if (book !== undefined && unbooked.length > 0)
        appendFileSync(book, unbooked.map((movement) => `${JSON.stringify(movement)}\n`).join(""));
      booked += unbooked.length;
      writeClosedDays(memory);
    },
  };
}

const stored = ({ reports, sessions, refused, closings, ...plain }: TerminalMemory): StoredMemory => ({
  ...plain,
  reports: [...reports],
  refused: [...refused],
  closings: [...closings],
  sessions: [...sessions].map(([key, { cancelling: _, refunds, ...session }]) => [
    key,
    { ...session, refunds: [...refunds] },
  ]),
});

function read(file: string): TerminalMemory {
  try {
    return memoryOf(JSON.parse(readFileSync(file, "utf8")) as StoredMemory);
  } catch {
    return emptyMemory(); // no file, or an invalid one
  }
}

const memoryOf = ({ isKept, openDay, ...found }: StoredMemory): TerminalMemory => ({
  isKept,
  openDay, // absent in the file if it is undefined
  outbox: [...found.outbox],
  movements: [...found.movements],
  reports: new Map(found.reports),
  refused: new Set(found.refused),
  closings: new Map(found.closings),
  sessions: new Map(found.sessions.map(([key, session]) => [key, revived(session)])),
});

const revived = (session: StoredSession): Session => ({
  ...session,
  ending: session.ending, // absent in the file if it is undefined
  refunds: new Map(session.refunds),
  cancelling: new AbortController(),
});

/** Replaces the file atomically. The new content is flushed to the disk before the rename. */
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
