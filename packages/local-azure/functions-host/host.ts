import { injectFunctionsCore } from "./functions-core.ts";
import { createHooks } from "./hooks.ts";
import { BODY_LIMIT_SETTING, readBodyLimit, readHostSettings } from "./host-settings.ts";
import { serve } from "./http-server.ts";
import { httpTrigger } from "./http-trigger.ts";
import { limited } from "./http-limits.ts";
import { inTime, invoker } from "./invocation.ts";
import type { HostKeys } from "./keys.ts";
import { loadApp } from "./load-app.ts";
import { consoleOf, filtered, type Log } from "./log.ts";
import { listenToQueue } from "./service-bus-trigger.ts";
import { inScaleGroup, readTriggers, type AppSetting } from "./triggers.ts";
import type { ProgrammingModel } from "./worker-protocol.ts";

export type { HostKeys } from "./keys.ts";

/** How long a stop waits for running work, and then for the work that the app ends in `appTerminate`. */
const DRAIN_MS = 30_000;
const LAST_ANSWERS_MS = 2_000;

export interface FunctionsHostOptions {
  /** Contains the app: package.json with `main`, host.json and the bundle. */
  readonly directory: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly keys: HostKeys;
  /** The app setting of this name: a connection string, or the value of `%NAME%` in a binding. */
  readonly connections: AppSetting;
  /** Runs only the functions of this scale group, as an instance in a Flex Consumption plan does. Default: all functions. */
  readonly scaleGroup?: string | undefined;
  readonly log?: Log;
  /** Ends the process at once, with all its running work. Called if a function takes longer than `functionTimeout`. */
  readonly endWorker: () => void;
  /**
   * Stops as Azure's host does. It cuts off what still runs after these milliseconds, and only then tells the app. It abandons a message
   * whose function returns after the stop began.
   */
  readonly azureStopMs?: number | undefined;
}

export interface FunctionsHost {
  readonly port: number;
  /** The names of the functions that the host runs. */
  readonly functions: readonly string[];
  /**
   * Accepts no more requests and messages, and waits up to 30 s for running work. Then it ends the app, which may first finish waiting
   * calls. With `azureStopMs` it stops as described there.
   */
  stop(): Promise<void>;
}

let isStarted = false;

/**
 * Runs a built function app on loopback, as Azure would. A process can call this only once, because registration is global and locked after
 * start-up. Throws a message if the app cannot be loaded or needs what this host lacks, or if the port is taken.
 */
export async function startFunctionsHost(options: FunctionsHostOptions): Promise<FunctionsHost> {
  if (isStarted) throw new Error("a process runs one Functions host");
  isStarted = true;
  const { directory, keys, connections, scaleGroup, azureStopMs } = options;
  const settings = await readHostSettings(directory);
  const log = filtered(settings.levels, options.log ?? (() => {}));
  for (const key of settings.unknownKeys)
    log({ level: "warning", category: "system", message: `host.json: no Functions host knows the key "${key}"` });
  globalThis.console = consoleOf(log);
  const hooks = createHooks(log);
  const registrations = injectFunctionsCore(hooks, log);

  await loadApp(directory);
  const appHooks = { hookData: {}, appHookData: hooks.appHookData };
  await hooks.run("appStart", { ...appHooks, functionAppDirectory: directory });
  registrations.lock();
  const model = registrations.programmingModel();
  const registered = [...registrations.functions.values()];
  if (!model || registered.length === 0) throw new Error(`the app in ${directory} registered no function`);
  await refuseStreams(model);

  const functions = registered.filter(({ name }) => !isDisabled(name, connections));
  const all = readTriggers(functions, connections);
  const triggers = scaleGroup === undefined ? all : inScaleGroup(all, scaleGroup);
  const tracesCalls = connections("APPLICATIONINSIGHTS_CONNECTION_STRING") !== undefined;
  const invoke = inTime(settings.functionTimeoutMs, invoker(model, hooks, { tracesCalls }), (functionName) => {
    const message = `the function took longer than functionTimeout (${settings.functionTimeoutMs} ms): the worker ends`;
    log({ level: "error", category: "system", functionName, message });
    options.endWorker();
  });
  const { routePrefix, customHeaders } = settings.http;
  const maxBodyBytes = readBodyLimit(connections(BODY_LIMIT_SETTING));
  const hasHomepage = connections("AzureWebJobsDisableHomepage")?.toLowerCase() !== "true";
  const answer = httpTrigger({ functions: triggers.http, routePrefix, hasHomepage, keys, maxBodyBytes, invoke, log });
  const http = await serve(limited(answer, settings.http), { port: options.port, customHeaders });
  const queueHost = { settings: settings.serviceBus, abandonsLate: azureStopMs !== undefined, invoke, log };
  const queues = triggers.queues.map((queue) => listenToQueue(queue, queueHost));
  return {
    port: http.port,
    functions: [...triggers.http, ...triggers.queues].map(({ registered }) => registered.name),
    async stop() {
      if (azureStopMs === undefined) process.emit("message", "drain", undefined); // to the app, which runs in this process
      const drained = Promise.all([http.stop(), ...queues.map((queue) => queue.stop())]);
      await within(azureStopMs ?? DRAIN_MS, drained);
      if (azureStopMs !== undefined) http.cut();
      await hooks.run("appTerminate", appHooks);
      await within(LAST_ANSWERS_MS, drained);
      http.cut();
    },
  };
}

/** Whether an app setting disables the function. Then its route is 404, or its queue is not read. */
const isDisabled = (name: string, appSetting: AppSetting): boolean =>
  /^(true|1)$/i.test(appSetting(`AzureWebJobs.${name}.Disabled`) ?? "");

/** Reads the capabilities once, as the worker does. Throws if the app asks for streams. The call also ends the library's own set-up. */
async function refuseStreams(model: ProgrammingModel): Promise<void> {
  const capabilities = (await model.getCapabilities?.({})) ?? {};
  if ("HttpUri" in capabilities) throw new Error("the app asks for HTTP streams, which are not supported here");
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
