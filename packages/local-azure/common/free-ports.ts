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

/** Whether a server can listen on this port of loopback now. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

/** Windows reserves ranges of ports, and refuses them with `EACCES`. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["EADDRINUSE", "EACCES"].includes(String(error.code));

/** A port that is taken, and the part that needs it. */
export interface TakenPort {
  readonly port: number;
  readonly part: string;
  /** The process that listens, if the system shows it. */
  readonly owner: PortOwner | undefined;
}

/** The taken ones of these ports, each with the part that needs it. */
export async function takenPorts(needed: readonly (readonly [port: number, part: string])[]): Promise<TakenPort[]> {
  const isPortFree = await Promise.all(needed.map(([port]) => isFree(port)));
  return needed.flatMap(([port, part], i) => (isPortFree[i] ? [] : [{ port, part, owner: ownerOf(port) }]));
}

/** A sentence for each taken port. It names the port, the part that needs it and, if the system shows it, the process that has it. */
export const takenSentences = (taken: readonly TakenPort[]): string =>
  taken
    .map(({ port, part, owner }) => {
      const by = owner ? ` by process ${owner.pid} (${owner.command.slice(0, 120)}) in ${owner.folder}` : "";
      return `Port ${port}, which ${part} needs, is taken${by}.`;
    })
    .join("\n");

/** Throws the sentences about the ports that are taken, followed by the advice. */
export async function assertFree(needed: Parameters<typeof takenPorts>[0], advice: string): Promise<void> {
  const taken = await takenPorts(needed);
  if (taken.length > 0) throw new Error(`${takenSentences(taken)}\n${advice}`);
}

function listenOnce(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", () => server.close(() => resolve()));
  return promise;
}

/** A process that listens on a port. */
interface PortOwner {
  readonly pid: number;
  readonly command: string;
  readonly folder: string;
}

/** The process that listens, from Linux's /proc. Undefined on other systems. */
function ownerOf(port: number): PortOwner | undefined {
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
    return { pid: Number(pid), command, folder: readlinkSync(`/proc/${pid}/cwd`) };
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
