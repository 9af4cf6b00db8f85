import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createServer } from "node:net";

/** The ports of the parts, unless `--ports 0` chooses free ones. */
export const fixedPorts = {
  gateway: 7080,
  functions: 7071,
  tables: 10002,
  serviceBus: 5672,
  blobs: 10000,
  queues: 10001,
  smtp: 1025,
  mails: 8025,
  reference: 7090,
  faults: 7091,
} as const;

/** The ports of the parts of one stack. */
export type Ports = Readonly<
  Record<"gateway" | "functions" | "tables" | "serviceBus" | "smtp" | "mails" | "faults", number>
>;

/** The ports of the services that the app depends on. */
export type Dependencies = Pick<Ports, "tables" | "serviceBus">;

/** A port that is free now, on loopback. */
export async function freePort(): Promise<number> {
  return listenOnce(0);
}

/** Throws a message that names the port, the part that needs it and, where the system shows it, the process that has it. */
export async function assertFree(port: number, part: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") throw error;
    const owner = ownerOf(port);
    throw new Error(
      `Port ${port}, which ${part} needs, is taken${owner ? ` by ${owner}` : ""}. End that, or use --ports 0 for free ports.`,
      { cause: error },
    );
  }
}

/** A stack's ports; throws where a fixed one is taken. */
export async function choosePorts(ports: "fixed" | "free"): Promise<Ports> {
  if (ports === "free") {
    return {
      gateway: await freePort(),
      functions: await freePort(),
      tables: await freePort(),
      serviceBus: await freePort(),
      smtp: await freePort(),
      mails: await freePort(),
      faults: await freePort(),
    };
  }
  await assertFree(fixedPorts.gateway, "the gateway");
  await assertFree(fixedPorts.functions, "the Functions host");
  await assertFree(fixedPorts.tables, "Azurite");
  await assertFree(fixedPorts.serviceBus, "the Service Bus");
  for (const port of [fixedPorts.smtp, fixedPorts.mails]) await assertFree(port, "the mail sink");
  await assertFree(fixedPorts.faults, "the switch for faults");
  return fixedPorts;
}

function listenOnce(port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    const got = typeof address === "object" && address ? address.port : port;
    server.close(() => resolve(got));
  });
  return promise;
}

/** Linux shows in /proc which process listens; on other systems the message names only the port. */
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
    return undefined; // not Linux, or not permitted: the message omits the process
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
