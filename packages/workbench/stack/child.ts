import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Channel } from "../../local-azure/common/channel.ts";
import { linesOf } from "../../../infra/tools/lines.ts";
import { compileCache, programFile } from "../../../infra/tools/packed.ts";

/** A part of the local cloud, in its own process. */
export interface Child<Ready = unknown> {
  readonly name: string;
  readonly pid: number;
  readonly ready: Ready;
  /** The channel for messages to the running part. */
  readonly channel: Channel;
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Requests a clean stop and waits for it. Kills the process after 35 s. */
  stop(): Promise<void>;
  /** Kills the process at once, like a power cut. */
  kill(): Promise<void>;
}

export interface ChildOptions<Ready> {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Options of Node, placed before the script. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  /** Reads a line of its output. Returns undefined until the part is ready. */
  readonly readyWhen: (line: string) => Ready | undefined;
  /** Receives each line of its output, as the log file does. */
  readonly onLine?: ((line: string) => void) | undefined;
}

const endWithParent = pathToFileURL(programFile("end-with-parent", import.meta.url)).href;

const ownOptions = ["--disable-warning=ExperimentalWarning", "--import", endWithParent];

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 35_000;

/** Starts a Node script and waits until it is ready. If it fails, throws with the last lines of its output. */
export async function startChild<Ready>(options: ChildOptions<Ready>): Promise<Child<Ready>> {
  const { name, script, args, nodeOptions = [], env, logFile, readyWhen, onLine } = options;
  const child = spawn(process.execPath, [...ownOptions, ...nodeOptions, script, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
  });
  const log = createWriteStream(logFile, { flags: "a" });
  const lastWords: string[] = [];
  const started = Promise.withResolvers<Ready>();
  const read = async (stream: Readable): Promise<void> => {
    for await (const line of linesOf(stream)) {
      log.write(`${line}\n`);
      onLine?.(line);
      if (lastWords.push(line) > 8) lastWords.shift();
      const ready = readyWhen(line);
      if (ready !== undefined) started.resolve(ready);
    }
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) void read(stream);
  const ended = emitted(child, "exit");
  const closed = emitted(child, "close").finally(() => log.end()); // its last lines are read by then
  const failed = closed.then(() =>
    Promise.reject(new Error(`${name} ended before it was ready:\n${lastWords.join("\n")}`)),
  );
  const timer = setTimeout(() => started.reject(new Error(`${name} was not ready in time`)), READY_WITHIN_MS);
  try {
    const ready = await Promise.race([started.promise, failed]);
    const kill = async () => {
      child.kill("SIGKILL");
      await ended;
    };
    const stop = async () => {
      const force = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      // A message, because a signal would not let it drain on Windows. The message distinguishes a stop from a parent that died.
      if (child.connected) child.send("stop", () => child.connected && child.disconnect());
      await ended;
      clearTimeout(force);
    };
    return { name, pid: child.pid ?? 0, ready, channel: child, ended, stop, kill };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    clearTimeout(timer);
    failed.catch(() => {}); // thrown above during the start; a later end is not an error
  }
}

const emitted = (child: ChildProcess, event: "exit" | "close"): Promise<void> =>
  new Promise((resolve) => {
    child.once(event, () => resolve());
    child.once("error", () => resolve());
  });

/** Reads the line by which a part reports that it is ready: one line of JSON. */
export const readyLine = <Ready extends { readonly ready: true }>(line: string): Ready | undefined =>
  line.startsWith('{"ready":true') ? (JSON.parse(line) as Ready) : undefined;
