import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, truncateSync } from "node:fs";

// What a part keeps in a file so that it outlives the part: one line of JSON for each change, in their order. A line is handed to the system
// before the change is confirmed, so a process that is killed loses nothing that it confirmed. A machine that loses its power may lose the
// last lines.

/** Adds lines to a file. */
export interface Journal {
  /** Throws the error of the file system, for instance where the disk is full. */
  add(line: unknown): void;
  /** Puts these lines in the place of all earlier ones. A kill in the middle leaves the earlier ones. */
  replace(lines: Iterable<unknown>): void;
}

const LINE_END = "\n".charCodeAt(0);

/**
 * Opens a journal, and hands over its lines. A last line without an end was being written when the process died: it is removed. Throws a
 * sentence where another line cannot be read.
 */
export function openJournal(file: string, read: (line: unknown) => void): Journal {
  const complete = readLines(file, read);
  let descriptor = openSync(file, "a", 0o600);
  truncateSync(file, complete);
  return {
    add: (line) => appendFileSync(descriptor, text(line)),
    replace(lines) {
      const next = `${file}.next`;
      const written = openSync(next, "w", 0o600);
      for (const line of lines) appendFileSync(written, text(line));
      fsyncSync(written);
      closeSync(written);
      closeSync(descriptor); // Windows renames no open file
      renameSync(next, file);
      descriptor = openSync(file, "a");
    },
  };
}

const text = (line: unknown): string => `${JSON.stringify(line)}\n`;

/** Returns the bytes up to the end of the last complete line. */
function readLines(file: string, read: (line: unknown) => void): number {
  const bytes = bytesOf(file);
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(LINE_END, from);
    if (end < 0) return from;
    read(parsed(bytes.toString("utf8", from, end), `line ${line} of ${file}`));
    from = end + 1;
  }
}

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new Error(`${where} cannot be read: it was changed by something else.`, { cause: error });
  }
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
