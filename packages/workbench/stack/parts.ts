import type { Child } from "./child.ts";
import type { Channel } from "../../local-azure/common/channel.ts";

type Start = () => Promise<Child>;

/** The processes of one stack, by name. */
export interface Parts {
  /** Resolves when the part is ready. */
  start(name: string, start: Start): Promise<void>;
  /** The process id of the part that runs under this name. */
  pidOf(name: string): number;
  /** The channel for messages to the part that runs under this name. */
  channelOf(name: string): Channel;
  /** Ends the part at once, like a power cut. */
  kill(name: string): Promise<void>;
  /** Ends the part if it still runs, and starts it again in the same way. */
  restart(name: string): Promise<void>;
  /**
   * Starts another process as this part. The old process still runs: the promise resolves with a function that stops it. Rejects if the new
   * process does not start. Then the old one stays.
   */
  replace(name: string, start: Start): Promise<() => void>;
  /** Resolves with the name of the first part that ends by itself, of those that run now. The part `except` does not count. */
  failed(except?: string): Promise<string>;
  /** Ends all parts in reverse order of their starts, including parts that are still starting. */
  stop(): Promise<void>;
}

/** `onReady` gets the name of each part that is ready for the first time. */
export function newParts(onReady: (name: string) => void = () => {}): Parts {
  const running = new Map<string, { readonly child: Child; readonly start: Start }>();
  const starts: Promise<void>[] = [];
  const leaving: Promise<void>[] = [];
  let ending = false; // from then on, the end of a part is intended

  const start = (name: string, start: Start): Promise<void> => {
    const started = start().then((child) => void running.set(name, { child, start }));
    starts.push(started);
    return started;
  };
  const find = (name: string) => {
    const part = running.get(name);
    if (!part) throw new Error(`${name} was never started`);
    return part;
  };
  return {
    async start(name, begin) {
      await start(name, begin);
      onReady(name);
    },
    pidOf: (name) => find(name).child.pid,
    channelOf: (name) => find(name).child.channel,
    async kill(name) {
      ending = true;
      await find(name).child.kill();
    },
    async restart(name) {
      ending = true;
      const part = find(name);
      await part.child.stop();
      await start(name, part.start);
    },
    async replace(name, other) {
      const before = find(name).child;
      await start(name, other);
      return () => void leaving.push(before.stop());
    },
    async failed(except) {
      const watched = [...running].filter(([name]) => name !== except);
      const ended = watched.map(([, { child }]) => child.ended.then(() => child.name));
      const name = await Promise.race(ended);
      return ending ? new Promise<never>(() => {}) : name;
    },
    async stop() {
      ending = true;
      await Promise.allSettled(starts);
      await Promise.all(leaving);
      for (const { child } of [...running.values()].toReversed()) await child.stop();
    },
  };
}
