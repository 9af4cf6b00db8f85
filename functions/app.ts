import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { app, type HttpHandler, type ServiceBusQueueHandler } from "@azure/functions";
import { getProgrammingModel, setProgrammingModel } from "@azure/functions-core";
import { readConfig, readProblemPagesUrl, SERVICE_BUS_SETTING, settingsCheck } from "../shared/edge/settings/config.ts";
import { checkNode } from "../shared/edge/settings/check-node.ts";
import type { Contract } from "../shared/edge/http/contract.ts";
import { readingHeaders } from "../shared/edge/http/readable-headers.ts";
import { unableToStart } from "../shared/edge/http/unable-to-start.ts";
import { jsonLog } from "../shared/adapters/log/json-log.ts";
import type { Clock } from "../shared/ports/clock.ts";
import type { HealthCheck } from "../shared/ports/health-check.ts";
import type { QueueName } from "../shared/ports/queues.ts";
import { Unavailable } from "../shared/ports/failures.ts";
import { loggedError } from "../shared/ports/logged-error.ts";
import { IS_MISSING, WrongSettings } from "../shared/ports/wrong-settings.ts";
import { queuesCheck } from "../shared/adapters/queues/queues-check.ts";
import { withShownErrors } from "../shared/adapters/queues/shown-errors.ts";
import { tablesCheck } from "../shared/adapters/tables/tables-check.ts";
import { readTraceSettings } from "../shared/adapters/tracing/settings.ts";
import { startTracing, untraced, type Tracing } from "../shared/adapters/tracing/tracing.ts";
import { impairedPart } from "../shared/use-cases/alerts/impaired-part.ts";
import { connect, type Connections } from "./connections.ts";
import { dependencies, type Dependencies } from "./dependencies.ts";
import { endpoints } from "./endpoints.ts";
import { healthDetail } from "./operators/health-detail.ts";
import { health } from "./probes/health.ts";
import { warmUp } from "./warm-up.ts";
import { workers } from "./workers.ts";

/** Written into the bundle by the build: the version of package.json, and the commit if it is known. */
declare const APP_VERSION: string;
/** Written by the build, too: the oldest Node that the bundle supports. */
declare const OLDEST_NODE: string;

// The composition root: the only file that reads the environment and registers functions. connections.ts builds the
// clients of Azure's services, and dependencies.ts everything that the functions need.

const clock: Clock = { now: () => new Date().toISOString(), sleep: (ms) => sleep(ms) };
const newId = () => randomUUID();

const log = jsonLog({ now: clock.now, version: APP_VERSION, output: console });

/** The handlers of all functions, which the host runs, and the checks of the app's health. */
interface Platform {
  readonly health: HttpHandler;
  readonly endpoints: readonly { readonly contract: Contract; readonly handler: HttpHandler }[];
  readonly workers: readonly { readonly name: QueueName; readonly handler: ServiceBusQueueHandler }[];
  readonly healthChecks: readonly HealthCheck[];
}

/** Builds the platform. Throws `WrongSettings` if it cannot start with these settings or on this Node. */
function platform(environment: NodeJS.ProcessEnv, node: string): Platform {
  checkNode(node, OLDEST_NODE);
  const config = readConfig(environment);
  const instance = newId();
  const tracing = tracingOf(environment, instance);
  const connections = connect(config, log);
  const deps = dependencies(config, connections, { instance, clock, newId, log, tracing });
  const { rows, bus } = connections;
  const queues = workers.map(({ name }) => name);
  whenAppStarts(tracing, connections, queues);
  whenAppEnds(tracing, deps.polls);
  return {
    health: health.handler,
    endpoints: endpoints.map(({ contract, handler }) => ({
      contract,
      handler: tracing.endpoint(contract, handler(deps)),
    })),
    workers: workers.map(({ name, handler }) => ({
      name,
      handler: withShownErrors(tracing.worker(name, handler(deps))),
    })),
    healthChecks: [tablesCheck(rows), queuesCheck(bus, queues), settingsCheck(environment)],
  };
}

/** The traces that the environment asks for, if any. */
function tracingOf(environment: NodeJS.ProcessEnv, instance: string): Tracing {
  const settings = readTraceSettings(environment);
  if (!settings) return untraced;
  return startTracing({
    settings,
    resource: {
      "service.name": "terminal-payments",
      "service.instance.id": instance,
      "service.version": APP_VERSION,
    },
    troubled: impairedPart("traces", log, clock),
  });
}

/** Opens spans, senders and connections before the first request. */
function whenAppStarts(tracing: Tracing, { rows, senders }: Connections, queues: readonly QueueName[]): void {
  app.hook.appStart(tracing.ready);
  app.hook.appStart(() => warmUp([() => senders.open(queues), () => rows.partners.get("warm-up", "warm-up")]));
}

/** Answers the waiting polls, and sends the last spans. */
function whenAppEnds(tracing: Tracing, polls: Dependencies["polls"]): void {
  // 30 s after SIGTERM, Azure's host cuts off waiting requests, and only then runs this hook. If the host ends only the worker, waiting
  // polls get their responses here.
  app.hook.appTerminate(() => {
    log.write("stopping", {});
    polls.stop();
  });
  // A waiting poll would delay the stop of a local host. That host runs the app in its own process, and sends `drain` when it begins to
  // stop.
  process.on("message", (message) => {
    if (message === "drain") polls.stop();
  });
  app.hook.appTerminate(tracing.end);
}

/**
 * The functions of an app that cannot start. If it registered nothing, the host would look healthy, with an empty 404 for each operation.
 * Instead, each operation responds 503, so that callers retry. There are no workers. They could neither carry out nor postpone anything,
 * and each failed delivery would bring a message closer to the dead letters. Messages stay in their queues.
 */
function notStarted(error: unknown): Platform {
  const wrong = new Map(error instanceof WrongSettings ? error.wrong.map((one) => [one.setting, one.reason]) : []);
  for (const [setting, reason] of wrong)
    log.write("notStarted", { setting, reason: reason.startsWith(IS_MISSING) ? "missing" : "wrong" });
  if (wrong.size === 0) log.write("notStarted", loggedError(error));
  const { message } = error instanceof WrongSettings ? error : new Error("The app cannot start.");
  const answering = { newId, log, problemPagesUrl: readProblemPagesUrl(process.env) };
  const check = async (): Promise<never> => {
    throw new Unavailable(message);
  };
  return {
    health: health.notStarted,
    endpoints: endpoints.map(({ contract }) => ({ contract, handler: unableToStart(contract, answering) })),
    workers: [],
    healthChecks: [{ name: "settings", check }],
  };
}

function started(): Platform {
  try {
    const built = platform(process.env, process.versions.node);
    log.write("started", {});
    return built;
  } catch (error) {
    return notStarted(error);
  }
}

/** Registers every function at the host. */
function register({ health: healthHandler, endpoints, workers, healthChecks }: Platform): void {
  for (const { contract, handler } of endpoints) {
    const { name, method, route } = contract;
    app.http(name, { methods: [method], route, authLevel: "function", handler });
  }

  for (const { name, handler } of workers) {
    app.serviceBusQueue(name, { queueName: name, connection: SERVICE_BUS_SETTING, handler });
  }

  app.http(health.name, {
    methods: [health.method],
    route: health.route,
    authLevel: "anonymous",
    handler: healthHandler,
  });
  app.http(healthDetail.name, {
    methods: [healthDetail.method],
    route: healthDetail.route,
    authLevel: "function",
    handler: healthDetail.handler({ clock, version: APP_VERSION, healthChecks }),
  });
}

register(started());

// The library is there only since the first registration.
setProgrammingModel(readingHeaders(getProgrammingModel()));
