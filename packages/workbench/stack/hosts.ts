import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "../../local-azure/common/channel.ts";
import { queueNames } from "../../../infra/operator/common/dead-letter-queues.ts";
import type { Parts } from "./parts.ts";
import { freePort } from "../../local-azure/common/free-ports.ts";
import { startFrontEnd, startFunctionsHost } from "./processes.ts";

/** How to start the app's hosts. */
interface Hosts {
  /** The app's port, however many hosts it has. */
  readonly port: number;
  readonly places: readonly HostPlace[];
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

/** One host of a stack. */
export interface HostPlace {
  /** Its name among the parts of its stack, and the name of its log. */
  readonly part: string;
  /** The only functions that it runs. Undefined: all. */
  readonly scaleGroup: string | undefined;
}

/** The scale group of all HTTP functions. */
const HTTP = "http";

/**
 * A stack's hosts, by their numbers from 0. The first `count` get requests. With scale groups they run only the HTTP functions, and each
 * queue's function has another host of its own, as in Azure.
 */
export const hostPlaces = (count: number, hasScaleGroups: boolean): readonly HostPlace[] => [
  ...Array.from({ length: count }, (_, host) => ({
    part: host === 0 ? "functions" : `functions-${host + 1}`,
    scaleGroup: hasScaleGroups ? HTTP : undefined,
  })),
  ...(hasScaleGroups ? queueNames : []).map((name) => ({ part: `functions-${name}`, scaleGroup: `function:${name}` })),
];

const getsRequests = ({ scaleGroup }: HostPlace): boolean => scaleGroup === undefined || scaleGroup === HTTP;

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

/** Starts the app's hosts. If several get requests, or a replaceable one, they are behind a front end, each on its own port. */
export async function startHosts(parts: Parts, hosting: Hosts): Promise<RunningHosts> {
  const { port, places, keysFile, logFile, app, settings, onLine, inspect } = hosting;
  const count = places.filter(getsRequests).length;
  const isBehind = count > 1 || hosting.isReplaceable === true;
  const hosts = await Promise.all(places.map(() => freePort()));
  if (!isBehind) hosts[0] = port;
  const partOf = (host: number) => placeOf(host).part;
  function placeOf(host: number): HostPlace {
    const place = places[host];
    if (!place) throw new Error(`there is no host ${host}`);
    return place;
  }
  const starterOf = async (host: number, port: number) => {
    const settingsNow = await settings(host);
    const { part, scaleGroup } = placeOf(host);
    const process = {
      port,
      logFile: logFile(part),
      scaleGroup,
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
    parts.start(partOf(host), await starterOf(host, port));
  await Promise.all(hosts.map((port, host) => startOne(host, port)));
  if (!isBehind) {
    return { restart: (host) => parts.restart(partOf(host)), replace: () => Promise.reject(new Error("one host")) };
  }
  const frontEnd = startFrontEnd({ port, logFile: logFile("front-end"), hosts: hosts.slice(0, count) });
  await parts.start("front end", () => frontEnd);
  const { channel } = await frontEnd;
  return {
    async restart(host) {
      if (!getsRequests(placeOf(host))) return parts.restart(partOf(host));
      const port = hosts[host];
      const leaving = takenOut(channel, port);
      if (hosting.azureStopSeconds === undefined) parts.channelOf(partOf(host)).send?.("drain");
      await (hosting.azureStopSeconds === undefined ? leaving : handedOver(leaving));
      await parts.restart(partOf(host));
      channel.send?.({ putIn: port });
    },
    async replace() {
      const [before, after] = [hosts[0], await freePort()];
      parts.channelOf(partOf(0)).send?.({ closeInspector: true }); // the new host takes its port
      const stopOld = await parts.replace(partOf(0), await starterOf(0, after));
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
