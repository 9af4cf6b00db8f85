import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, truncateSync } from "node:fs";

// A part keeps its data in a file with one line of JSON for each change, in order. A line is written to the system before the change is
// confirmed, so a killed process loses nothing that it confirmed. A machine that loses power may lose the last lines.

export interface Journal {
  /** Adds a line. Throws the error of the file system, for instance if the disk is full. */
  add(line: unknown): void;
  /** Replaces all earlier lines by these. If the process is killed midway, the earlier lines stay. */
  replace(lines: Iterable<unknown>): void;
}

const LINE_END = "\n".charCodeAt(0);

/**
 * Opens a journal and passes its lines to `read`. Removes a last line without an end, which was being written when the process died. Throws
 * a sentence if another line cannot be read.
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
      closeSync(descriptor); // Windows cannot rename an open file
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
