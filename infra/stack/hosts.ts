import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "../emulators/common/channel.ts";
import type { Parts } from "./parts.ts";
import { freePort } from "../emulators/common/free-ports.ts";
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
  /** Puts a single host behind a front end, so that another one can be put in its place. */
  readonly isReplaceable?: boolean | undefined;
  /** The port of the first host for debuggers. */
  readonly inspect?: number | undefined;
  /** Stops hosts as Azure's do. */
  readonly azureStopSeconds?: number | undefined;
  /** Called where a replaceable host ends by itself. */
  readonly onEnded?: (() => void) | undefined;
}

/**
 * How long a host that is replaced still takes what the front end has just given it. Polls may be longer under way, and need not be waited for:
 * they end in the host that stops.
 */
const HANDED_OVER_MS = 2_000;
const handedOver = (leaving: Promise<void>): Promise<void> => Promise.race([leaving, sleep(HANDED_OVER_MS)]);

/** A host's name among the parts of its stack. The first has number 0. */
export const hostPart = (host: number): string => (host === 0 ? "functions" : `functions-${host + 1}`);

/** The app's hosts, running. */
export interface RunningHosts {
  /**
   * Restarts one host. Of several the front end takes it out first: it gets no more requests, and ends when it has responded to those that it
   * has, so no caller is refused. Calls that wait end at once. As in Azure, it stops with those that it has, and cuts what waits longer.
   */
  restart(host: number): Promise<void>;
  /**
   * Starts another first host, gives it every new request, and has the one before end when it has responded to those that it has. Where the
   * new one does not start, this throws, and nothing changes. Throws for hosts that are not replaceable.
   */
  replace(): Promise<void>;
}

/** Starts the app in one host; or in several, or in a replaceable one, each on a port of its own, behind a front end. */
export async function startHosts(parts: Parts, hosting: Hosts): Promise<RunningHosts> {
  const { port, count, keysFile, logFile, app, settings, onLine, inspect } = hosting;
  const isBehind = count > 1 || hosting.isReplaceable === true;
  const hosts = isBehind ? await Promise.all(Array.from({ length: count }, () => freePort())) : [port];
  const starterOf = async (host: number, port: number) => {
    const settingsNow = await settings(host);
    const process = {
      port,
      logFile: logFile(hostPart(host)),
      keysFile,
      onLine,
      inspect: host === 0 ? inspect : undefined,
      azureStopSeconds: hosting.azureStopSeconds,
    };
    return async () => {
      const child = await startFunctionsHost({ ...process, settings: settingsNow(), app: app(host) });
      void child.ended.then(() => hosts[host] === port && hosting.isReplaceable && hosting.onEnded?.());
      return child;
    };
  };
  const startOne = async (host: number, port: number): Promise<void> =>
    parts.start(hostPart(host), await starterOf(host, port));
  await Promise.all(hosts.map((port, host) => startOne(host, port)));
  if (!isBehind) {
    return { restart: (host) => parts.restart(hostPart(host)), replace: () => Promise.reject(new Error("one host")) };
  }
  const frontEnd = startFrontEnd({ port, logFile: logFile("front-end"), hosts });
  await parts.start("front end", () => frontEnd);
  const { channel } = await frontEnd;
  return {
    async restart(host) {
      const port = hosts[host];
      const leaving = takenOut(channel, port);
      if (hosting.azureStopSeconds === undefined) parts.channelOf(hostPart(host)).send?.("drain");
      await (hosting.azureStopSeconds === undefined ? leaving : handedOver(leaving));
      await parts.restart(hostPart(host));
      channel.send?.({ putIn: port });
    },
    async replace() {
      const [before, after] = [hosts[0], await freePort()];
      parts.channelOf(hostPart(0)).send?.({ closeInspector: true }); // for the new one, which takes its port
      const stopOld = await parts.replace(hostPart(0), await starterOf(0, after));
      hosts[0] = after;
      channel.send?.({ putIn: after });
      void handedOver(takenOut(channel, before)).then(stopOld); // not awaited
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
