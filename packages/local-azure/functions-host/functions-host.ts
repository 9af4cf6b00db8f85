#!/usr/bin/env node
import { Console } from "node:console";
import { close as closeInspector } from "node:inspector";
import { resolve } from "node:path";
import * as z from "zod";
import { numberIn, readOptions } from "../common/options.ts";
import { startFunctionsHost, type FunctionsHost } from "./host.ts";
import { readJson } from "./host-settings.ts";
import { describe, toLine } from "./log.ts";

// node functions-host.ts --directory <built app> --port <number> --keys <JSON file> [--scale-group <name>] [--azure-stop <seconds>].
// App settings come from the environment, as in Azure.

const hostKeys = z.strictObject({
  master: z.string().min(1),
  host: z.record(z.string(), z.string().min(1)),
  functions: z.record(z.string(), z.record(z.string(), z.string().min(1))),
});

/** Logs go to standard error, because standard output has only the line that says that the host is ready. */
const stderr = new Console(process.stderr, process.stderr);

/** The exit code if the app ended the host. The real host would restart its worker. */
const WORKER_ENDED = 70;

const options = {
  directory: { type: "string" },
  port: { type: "string", default: "7071" },
  keys: { type: "string" },
  "scale-group": { type: "string" },
  "azure-stop": { type: "string" },
} as const;

const { directory, port, keys, scaleGroup, azureStop } = readOptions("functions-host", { options }, ({ values }) => {
  const { directory, port, keys, "scale-group": scaleGroup, "azure-stop": stop } = values;
  if (directory === undefined || keys === undefined)
    throw new Error("--directory <folder of the built app> and --keys <file of host keys> are needed.");
  const azureStop = stop === undefined ? undefined : numberIn("--azure-stop", stop);
  return { directory, port: numberIn("--port", port), keys, scaleGroup, azureStop };
});

/** Writes the lines of one turn of the event loop together, because a write takes longer than making a line. */
function writeLine(line: string): void {
  if (process.stderr.writableCorked === 0) {
    process.stderr.cork();
    setImmediate(() => process.stderr.uncork());
  }
  process.stderr.write(`${line}\n`);
}

async function start(): Promise<FunctionsHost> {
  return startFunctionsHost({
    directory: resolve(directory),
    port,
    keys: await readJson(keys, hostKeys),
    connections: (name) => process.env[name],
    scaleGroup,
    log: (entry) => writeLine(toLine(entry)),
    endWorker: () => void exit(WORKER_ENDED),
    azureStopMs: azureStop === undefined ? undefined : azureStop * 1_000,
  });
}

/** Ends the process at once. The app's open timers and clients must not keep it alive. */
async function exit(code: number): Promise<never> {
  await new Promise((resolve) => process.stderr.write("", resolve));
  process.exit(code);
}

process.on("uncaughtException", (error) => {
  stderr.error(`critical host the app threw outside of a call: ${describe(error).replaceAll("\n", "\\n")}`);
  void exit(WORKER_ENDED);
});

try {
  const host = await start();
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= host.stop().then(
      () => exit(0),
      (error: unknown) => {
        stderr.error(`error host the app could not be stopped: ${describe(error)}`);
        return exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", stop);
  process.on("message", (message) => {
    if (message === "stop") stop();
    if (typeof message === "object" && message !== null && "closeInspector" in message) closeInspector();
  });
  const ready = { ready: true, port: host.port, functions: host.functions };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.send?.(ready);
} catch (error) {
  stderr.error(`critical host ${describe(error)}`);
  await exit(1);
}
