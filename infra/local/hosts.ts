import type { Parts } from "./parts.ts";
import { freePort } from "./common/free-ports.ts";
import { startFrontEnd, startFunctionsHost } from "./processes.ts";

/** The app's hosts and their address. */
interface Hosts {
  /** The app's port, however many hosts it has. */
  readonly port: number;
  readonly count: number;
  readonly keysFile: string;
  readonly logFile: (part: string) => string;
  /** The folder of the built app for the host of this number, read at each of its starts. */
  readonly app: (host: number) => string;
  /** The app settings of the host of this number, from 0. */
  readonly settings: (host: number) => Promise<Readonly<Record<string, string>>>;
  readonly onLine: ((line: string) => void) | undefined;
}

/** A host's name among the parts of its stack. The first has number 0. */
export const hostPart = (host: number): string => (host === 0 ? "functions" : `functions-${host + 1}`);

/** Starts the app in one host; or in several, each on a port of its own, behind a front end. */
export async function startHosts(parts: Parts, hosting: Hosts): Promise<void> {
  const { port, count, keysFile, logFile, app, settings, onLine } = hosting;
  const startOne = async (host: number, port: number): Promise<void> => {
    const part = hostPart(host);
    const process = { port, logFile: logFile(part), keysFile, settings: await settings(host), onLine };
    await parts.start(part, () => startFunctionsHost({ ...process, app: app(host) }));
  };
  if (count === 1) return startOne(0, port);
  const hosts = await Promise.all(Array.from({ length: count }, () => freePort()));
  await Promise.all(hosts.map((port, host) => startOne(host, port)));
  await parts.start("front end", () => startFrontEnd({ port, logFile: logFile("front-end"), hosts }));
}
