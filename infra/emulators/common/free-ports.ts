import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";

/**
 * Each process takes its ports from its own block. The blocks are below the ports of outgoing connections (from 32768 on Linux, 49152
 * elsewhere). If the system chose a port, any connection could take it before its part listens.
 */
const BLOCKS = { first: 11_000, size: 32, count: 625 };
let taken = 0;

/** A port on loopback that is free now, and that no other process takes by chance. Throws if this process's whole block is in use. */
export async function freePort(): Promise<number> {
  const block = BLOCKS.first + (process.pid % BLOCKS.count) * BLOCKS.size;
  for (let tries = 0; tries < BLOCKS.size; tries++) {
    const port = block + (taken++ % BLOCKS.size);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${block} to ${block + BLOCKS.size - 1} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EADDRINUSE";

/** Throws if the port is taken. The message names the port, the part that needs it and, if the system shows it, the process that has it. */
export async function assertFree(port: number, part: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    if (!isTaken(error)) throw error;
    const owner = ownerOf(port);
    throw new Error(
      `Port ${port}, which ${part} needs, is taken${owner ? ` by ${owner}` : ""}. End that, or use --ports 0 for free ports.`,
      { cause: error },
    );
  }
}

function listenOnce(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", () => server.close(() => resolve()));
  return promise;
}

/** The process that listens, from Linux's /proc. Undefined on other systems. */
function ownerOf(port: number): string | undefined {
  try {
    const hex = port.toString(16).toUpperCase().padStart(4, "0");
    const listening = ["/proc/net/tcp", "/proc/net/tcp6"]
      .flatMap((file) => readFileSync(file, "utf8").split("\n"))
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields[1]?.endsWith(`:${hex}`) && fields[3] === "0A");
    const socket = `socket:[${listening?.[9]}]`;
    const pid = readdirSync("/proc").find((entry) => /^\d+$/.test(entry) && socketsOf(entry).includes(socket));
    if (pid === undefined) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return `process ${pid} (${command.slice(0, 120)})`;
  } catch {
    return undefined; // not Linux, or not permitted
  }
}

function socketsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return ""; // closed in the meantime
      }
    });
  } catch {
    return []; // another user's process
  }
}
