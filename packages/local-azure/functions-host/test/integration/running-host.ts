import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import type { HostKeys } from "../../keys.ts";

const main = fileURLToPath(new URL("../../functions-host.ts", import.meta.url));

/** The cache of compiled code that the parts of the local cloud share. It makes a start quicker. */
const compileCache = fileURLToPath(new URL("../../../../../node_modules/.cache/compile", import.meta.url));

export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

const someKeys: HostKeys = {
  master: "the-master-key",
  host: { gateway: "a-host-key" },
  functions: { "for-function": { default: "a-function-key" } },
};

export interface HostProcess {
  /** Standard output, line by line. */
  readonly output: readonly string[];
  /** Standard error, line by line. */
  readonly log: readonly string[];
  /** The exit code, when the process has ended. */
  readonly ended: Promise<number | null>;
  /** The content of its ready line. Undefined if it ends before that. */
  readonly ready: Promise<{ readonly port: number; readonly functions: readonly string[] } | undefined>;
  signal(signal: NodeJS.Signals): void;
  send(message: string): void;
  disconnect(): void;
  /** Kills it and removes its files. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs only the host, in its own process, as `npm start` does. */
export async function spawnHost(
  directory: string,
  options: {
    readonly port?: number;
    readonly env?: Readonly<Record<string, string>>;
    readonly args?: readonly string[];
    /** Stops it as Azure's host does: it cuts off what still runs after this many seconds. Azure's host takes 30. */
    readonly azureStop?: number;
  } = {},
): Promise<HostProcess> {
  const temporary = await mkdtemp(join(tmpdir(), "functions-host-"));
  const keysFile = join(temporary, "keys.json");
  await writeFile(keysFile, JSON.stringify(someKeys));
  const stop = options.azureStop === undefined ? [] : ["--azure-stop", String(options.azureStop)];
  const words = ["--directory", directory, "--port", String(options.port ?? 0), "--keys", keysFile, ...stop];
  const args = options.args ?? words;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...options.env },
  });
  const output: string[] = [];
  const log: string[] = [];
  const ready = Promise.withResolvers<Awaited<HostProcess["ready"]>>();
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const read = Promise.all([
    readLines(child.stderr, (line) => log.push(line)),
    readLines(child.stdout, (line) => {
      output.push(line);
      if (line.startsWith('{"ready":true')) ready.resolve(JSON.parse(line) as { port: number; functions: string[] });
    }),
  ]);
  const ended = read.then(() => exited);
  void ended.then(() => ready.resolve(undefined));
  return {
    output,
    log,
    ended,
    ready: ready.promise,
    signal: (signal) => child.kill(signal),
    send: (message) => child.send(message),
    disconnect: () => child.disconnect(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      await rm(temporary, { recursive: true });
    },
  };
}

export interface RunningHost extends HostProcess {
  readonly url: string;
  readonly port: number;
  readonly functions: readonly string[];
}

/** Runs the host and waits until it is ready. */
export async function startHost(...args: Parameters<typeof spawnHost>): Promise<RunningHost> {
  const host = await spawnHost(...args);
  const ready = await host.ready;
  if (!ready) {
    await host[Symbol.asyncDispose]();
    throw new Error(`the host ended before it was ready:\n${host.log.join("\n")}`);
  }
  return { ...host, ...ready, url: `http://127.0.0.1:${ready.port}` };
}

async function readLines(stream: Readable | null, take: (line: string) => void): Promise<void> {
  if (!stream) return;
  for await (const line of createInterface({ input: stream })) take(line);
}
