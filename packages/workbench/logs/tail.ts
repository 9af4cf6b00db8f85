import { open, stat } from "node:fs/promises";

/** A file that grows, read line by line. */
export interface Tail {
  /** The complete lines since the last read. A file that was replaced or truncated is read from its beginning. */
  read(): Promise<readonly string[]>;
}

const NEWLINE = 0x0a;

/** Reads the file from its beginning. A missing file has no lines. */
export function tailOf(path: string): Tail {
  let [file, offset] = [0, 0];
  let rest = Buffer.alloc(0);
  return {
    async read() {
      const found = await stat(path).catch(() => undefined);
      if (!found) return [];
      if (found.ino !== file || found.size < offset) [file, offset, rest] = [found.ino, 0, Buffer.alloc(0)];
      if (found.size === offset) return [];
      const bytes = Buffer.concat([rest, await readFrom(path, offset, found.size - offset)]);
      offset = found.size;
      const end = bytes.lastIndexOf(NEWLINE) + 1; // a line that is being written has no end yet
      rest = bytes.subarray(end);
      return bytes.subarray(0, end).toString().split("\n").slice(0, -1);
    },
  };
}

async function readFrom(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
