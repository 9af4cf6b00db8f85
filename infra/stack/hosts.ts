import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "../emulators/common/channel.ts";
import type { Parts } from "./parts.ts";
import { freePort } from "../emulators/common/free-ports.ts";
import { startFrontEnd, startFunctionsHost } from "./processes.ts";

/** How to start the app's hosts. */
interface Hosts {
  /** The app's port, however many hosts it has. */
  readonly port: number;
  readonly count: number;
  readonly keysFile: string;
  readonly logFile: (part: string) => string;
  /** The folder of the built app for the host with this number. Called at each of its starts. */
  readonly app: (host: number) => string;
  /** The app settings of the host with this number, from 0. The returned function is called at each of its starts. */
  readonly settings: (host: number) => Promise<() => Readonly<Record<string, string>>>;
  readonly onLine: ((line: string) => void) | undefined;
  /** Puts a single host behind a front end, so that another host can replace it. */
  readonly isReplaceable?: boolean | undefined;
  /** The first host's port for debuggers. */
  readonly inspect?: number | undefined;
  /** Stops hosts as Azure does: a host cuts off what still runs after this many seconds. */
  readonly azureStopSeconds?: number | undefined;
  /** Called if a replaceable host ends by itself. */
  readonly onEnded?: (() => void) | undefined;
}

/**
 * How long a replaced host may still receive what the front end has just sent to it. Polls may take longer. They need not be waited for,
 * because the stopping host ends them.
 */
const HANDED_OVER_MS = 2_000;
const handedOver = (leaving: Promise<void>): Promise<void> => Promise.race([leaving, sleep(HANDED_OVER_MS)]);

/** A host's name among the parts of its stack. The first host has the number 0. */
export const hostPart = (host: number): string => (host === 0 ? "functions" : `functions-${host + 1}`);

/** The app's hosts, running. */
export interface RunningHosts {
  /**
   * Restarts one host. If it is behind the front end, it gets no more requests, and ends when it has responded to those that it has. So no
   * caller is rejected, and long polls end at once. With `azureStopSeconds` it stops with open requests, and cuts off those that take
   * longer.
   */
  restart(host: number): Promise<void>;
  /**
   * Starts a new first host and gives it every new request. The old host ends when it has responded to the requests that it has. If the new
   * host does not start, this rejects and nothing changes. Also rejects if the hosts are not replaceable.
   */
  replace(): Promise<void>;
}

/** Starts the app's hosts. Several hosts, or a replaceable one, are behind a front end, each on its own port. */
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
      parts.channelOf(hostPart(0)).send?.({ closeInspector: true }); // the new host takes its port
      const stopOld = await parts.replace(hostPart(0), await starterOf(0, after));
      hosts[0] = after;
      channel.send?.({ putIn: after });
      void handedOver(takenOut(channel, before)).then(stopOld); // not awaited
    },
  };
}

/** Has the front end give the host no more requests. Resolves when the host has none left. */
function takenOut(channel: Channel, port: number | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onMessage = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("takenOut" in message) || message.takenOut !== port)
      return;
    channel.off("message", onMessage);
    resolve();
  };
  channel.on("message", onMessage);
  channel.send?.({ takeOut: port });
  return promise;
}
