import type { Channel } from "./faults/part.ts";
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
  /** The app settings of the host of this number, from 0; read at each of its starts. */
  readonly settings: (host: number) => Promise<() => Readonly<Record<string, string>>>;
  readonly onLine: ((line: string) => void) | undefined;
}

/** A host's name among the parts of its stack. The first has number 0. */
export const hostPart = (host: number): string => (host === 0 ? "functions" : `functions-${host + 1}`);

/** The app's hosts, running. */
export interface RunningHosts {
  /**
   * Restarts one host. Of several the front end takes it out first: it gets no more requests, and ends when it has responded to those that it
   * has, so no caller is refused.
   */
  restart(host: number): Promise<void>;
}

/** Starts the app in one host; or in several, each on a port of its own, behind a front end. */
export async function startHosts(parts: Parts, hosting: Hosts): Promise<RunningHosts> {
  const { port, count, keysFile, logFile, app, settings, onLine } = hosting;
  const startOne = async (host: number, port: number): Promise<void> => {
    const part = hostPart(host);
    const process = { port, logFile: logFile(part), keysFile, onLine };
    const settingsNow = await settings(host);
    await parts.start(part, () => startFunctionsHost({ ...process, settings: settingsNow(), app: app(host) }));
  };
  if (count === 1) {
    await startOne(0, port);
    return { restart: (host) => parts.restart(hostPart(host)) };
  }
  const hosts = await Promise.all(Array.from({ length: count }, () => freePort()));
  await Promise.all(hosts.map((port, host) => startOne(host, port)));
  const frontEnd = startFrontEnd({ port, logFile: logFile("front-end"), hosts });
  await parts.start("front end", () => frontEnd);
  const { channel } = await frontEnd;
  return {
    async restart(host) {
      const port = hosts[host];
      await takenOut(channel, port);
      await parts.restart(hostPart(host));
      channel.send?.({ putBack: port });
    },
  };
}

/** Resolves when the front end gives the host no more requests, and it has none left. */
function takenOut(channel: Channel, port: number | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("takenOut" in message) || message.takenOut !== port)
      return;
    channel.off("message", hear);
    resolve();
  };
  channel.on("message", hear);
  channel.send?.({ takeOut: port });
  return promise;
}
