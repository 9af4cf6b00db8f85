import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTables } from "../../../infra/operator/common/create-tables.ts";
import { builtApp } from "../../../infra/tools/built-app.ts";
import { freePort } from "../../local-azure/common/free-ports.ts";
import { appSettings } from "./app-settings.ts";
import { newAutopilots } from "./autopilots.ts";
import { startTables, tablesConnection } from "./azurite.ts";
import { seedTemplates } from "../../../infra/operator/common/seed-templates.ts";
import { newConsumer, startMailSink, type NewConsumer } from "./consumer.ts";
import { demoEnv, terminalEnv } from "./demo-env.ts";
import { freshLogs } from "./directories.ts";
import { startFaults, type StackFaults } from "./faults-of-stack.ts";
import { fixedConsumer, fixedSecrets } from "./fixed-keys.ts";
import { announceKept, hasKept, keptFiles, terminalMemory } from "./kept.ts";
import { hostPlaces, startHosts, type HostPlace, type RunningHosts } from "./hosts.ts";
import { newParts, type Parts } from "./parts.ts";
import { published } from "./published.ts";
import { choosePorts, WEBHOOK_PORT, type Ports } from "./ports.ts";
import { policies, setNamedValues, startGateway, startServiceBus } from "./processes.ts";
import {
  functionsKeysOf,
  hostKeys,
  newSecrets,
  peppersOf,
  type FunctionsKeys,
  type Secrets,
  webhookSecretKeysOf,
} from "./secrets.ts";
import { seedFixedPartner } from "./seed-fixed.ts";
import {
  noPartner,
  seedPartner,
  triedAgain,
  type DemoPartner,
  type DemoTerminal,
} from "../../../infra/operator/common/seed.ts";
import { loopback, stackFile, type StackFile } from "./stack-file.ts";
import type { StackOptions } from "./stack-options.ts";
import type { MemoryStore } from "../../terminal/simulated/memory.ts";

export type { StackOptions };

export interface Stack {
  readonly file: StackFile;
  /** The secrets among the stack's keys and its app's settings, by name. No log may contain them. */
  readonly secrets: Readonly<Record<string, unknown>>;
  /** Adds another partner with terminals of its own. */
  addPartner(settings?: { strictOrders?: boolean; withoutAutopilot?: boolean }): Promise<DemoPartner>;
  /** Sets faults of tables and queues, as the switch at `file.faults` does. */
  readonly faults: Pick<StackFaults["board"], "set" | "clear" | "list">;
  /** Kills a functions host at once, like a power cut. Default: the first host. */
  killFunctions(host?: number): Promise<void>;
  /** Starts the host again, on the same port. */
  startFunctions(host?: number): Promise<void>;
  /**
   * Starts a new host with the current app and settings, and gives it every new request. The old host ends when it has responded to the
   * requests that it has. If the new host does not start, this rejects and the old one continues. Only for a stack with `isReplaceable`.
   */
  replaceFunctions(): Promise<void>;
  /** Restarts the host with the current settings and host keys. With several hosts, no caller is rejected. */
  restartFunctions(host?: number): Promise<void>;
  /** The file of the keys that the hosts accept, read at each start of a host. */
  readonly hostKeysFile: string;
  /** Has the gateway call the functions with these keys, by a change of its named values. Nothing is restarted. */
  setFunctionsKeys(keys: FunctionsKeys): Promise<void>;
  /**
   * Freezes the Service Bus, like a machine that hangs: connections stay open, but it does not respond. Returns a function that resumes it.
   * POSIX only.
   */
  freezeServiceBus(): () => void;
  /** Ends the Service Bus and starts it again, empty: every message is lost. */
  purgeServiceBus(): Promise<void>;
  /** Ends the tables and starts them again, without one table: every row is lost. */
  loseTables(): Promise<void>;
  /** The parts that are the app's hosts, by the hosts' numbers: `functions`, `functions-2` and so on, or `functions-<queue>`. */
  readonly hostParts: readonly string[];
  /** The process id of a part: a host, `gateway`, `tables`, `service bus`, `front end`. */
  readonly pidOf: (part: string) => number;
  /** How many effects of the kept data were announced again at the start. Undefined if there were no kept data. */
  readonly announcedAgain: number | undefined;
  /** The memory of a simulated terminal. It outlives the stack if the stack's data do. */
  readonly memoryOf: (terminal: DemoTerminal) => MemoryStore;
  /** Resolves when a part has ended by itself. A replaceable host does not count, because another host can replace it. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** The values that the steps of a start share. */
interface Site {
  readonly options: StackOptions;
  readonly ports: Ports;
  readonly parts: Parts;
  readonly places: readonly HostPlace[];
  readonly secrets: Secrets;
  readonly consumer: NewConsumer;
  readonly faults: StackFaults;
  /** Whether there are kept data of an earlier stack. */
  readonly goesOn: boolean;
}

/** Starts the whole system on loopback, each part in its own process, and adds a demo. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const ports = await choosePorts(options.ports);
  const isFixed = hasFixedKeys(options);
  const consumer = newConsumer(isFixed ? fixedConsumer : undefined);
  const faults = await startFaults(ports.faults);
  const site: Site = {
    options,
    ports,
    parts: newParts(options.onReady),
    places: hostPlaces(options.hosts ?? 1, options.scaleGroups ?? false),
    secrets: isFixed ? fixedSecrets : newSecrets(),
    consumer,
    faults,
    goesOn: options.keep !== undefined && hasKept(options.keep),
  };
  try {
    await mkdir(options.directory, { recursive: true });
    await removeStackFile(site); // a killed run left one
    await freshLogs(options.directory);
    await startServices(site);
    const app = await startApp(site);
    await openGateway(site);
    return await handOver(site, app);
  } catch (error) {
    await endAll(site);
    throw error;
  }
}

const hasFixedKeys = ({ ports, keep }: StackOptions): boolean => ports === "fixed" || keep !== undefined;

const endAll = async ({ parts, faults }: Site): Promise<void> =>
  void (await Promise.all([faults.stop(), parts.stop()]));

const stackFilePath = ({ options }: Site) => join(options.directory, "stack.json");
const settingsPaths = ({ options }: Site) =>
  ({ demo: join(options.directory, "demo.env"), terminal: join(options.directory, "terminal.env") }) as const;
const hostKeysFile = ({ options }: Site) => join(options.directory, "host-keys.json");
const removeStackFile = async (site: Site): Promise<void> => {
  for (const path of [stackFilePath(site), ...Object.values(settingsPaths(site))]) await rm(path, { force: true });
};

const logFile = ({ options }: Site, part: string) => join(options.directory, "logs", `${part}.log`);

/** Starts the services that the app depends on. */
async function startServices(site: Site): Promise<void> {
  const { options, ports, parts, faults } = site;
  const overridesFile = options.queueOverrides && join(options.directory, "overrides.json");
  if (overridesFile !== undefined) await writeFile(overridesFile, JSON.stringify(options.queueOverrides));
  const bus = { port: ports.serviceBus, logFile: logFile(site, "service-bus"), overridesFile };
  const onPublished = options.onPublished;
  const kept = options.keep === undefined ? undefined : keptFiles(options.keep);
  const startFaulty = {
    tables: () => faults.served("tables", startTables(ports.tables, logFile(site, "tables"), { keep: kept?.tables })),
    queues: () => faults.served("queues", startServiceBus(bus)),
  };
  await Promise.all([
    parts.start("tables", () => published(startFaulty.tables(), "rows", onPublished)),
    parts.start("service bus", () => published(startFaulty.queues(), "queues", onPublished)),
    parts.start("mails", () =>
      published(startMailSink(ports, logFile(site, "mails"), kept?.mails), "mail", onPublished),
    ),
  ]);
}

interface StartedApp {
  readonly partner: DemoPartner;
  readonly hosts: RunningHosts;
  readonly announcedAgain?: number | undefined;
}

/** Starts the app's hosts, and adds the demo to the tables. */
async function startApp(site: Site): Promise<StartedApp> {
  const { options, ports, parts, consumer } = site;
  const real = { tables: ports.tables, serviceBus: ports.serviceBus };
  const keysFile = hostKeysFile(site);
  await writeFile(keysFile, JSON.stringify(hostKeys(site.secrets, consumer.demo.functionKeys)), { mode: 0o600 });
  const hosts = {
    port: ports.functions,
    places: site.places,
    keysFile,
    logFile: (part: string) => logFile(site, part),
    app: options.app ?? (() => builtApp),
    onLine: options.onAppLine,
    isReplaceable: options.isReplaceable,
    inspect: options.inspect,
    azureStopSeconds: options.azureStopSeconds,
    onEnded: options.onHostEnded,
    settings: async (host: number) => {
      const seen = (await options.between?.(real, host)) ?? real;
      return () => appSettings(site, seen, host);
    },
  };
  const seed = seedTarget(site);
  if (options.isEmpty) return { partner: noPartner, hosts: await startHosts(parts, hosts) };
  await createTables(seed.tables);
  const [partner, running, announcedAgain] = await Promise.all([
    hasFixedKeys(options)
      ? seedFixedPartner(seed, { webhookUrl: options.live?.webhookUrl })
      : seedPartner(seed, { webhookUrl: options.live?.webhookUrl, withCounter: true }),
    startHosts(parts, hosts),
    site.goesOn ? announceKept(real) : undefined,
    triedAgain(() => seedTemplates(seed.tables, consumer.demo)),
  ]);
  return { partner, hosts: running, announcedAgain };
}

const seedTarget = ({ ports, secrets }: Site) => ({
  tables: tablesConnection(ports.tables),
  peppers: peppersOf(secrets),
  webhookSecretKeys: webhookSecretKeysOf(secrets),
});

const namedValuesOf = ({ options }: Site, keys: FunctionsKeys) => ({
  ...functionsKeysOf(keys),
  ...(options.problemPagesUrl !== undefined && { "problem-pages-url": options.problemPagesUrl }),
});

/** Starts the gateway in front of the app, with a subscription for the demo. */
async function openGateway(site: Site): Promise<void> {
  const { options, ports, parts, secrets } = site;
  const configFile = join(options.directory, "gateway.json");
  const { subscriptionKey: primaryKey, secondarySubscriptionKey: secondaryKey } = secrets;
  const config = {
    directory: policies,
    namedValues: namedValuesOf(site, secrets.functionsKeys),
    subscriptions: [{ id: "demo", primaryKey, secondaryKey }],
    backendUrl: loopback(ports.functions),
    anyLoopbackOrigin: true, // a web shop's development server has any port
    faultSwitch: site.faults.url,
    open: options.open,
  };
  await writeFile(configFile, JSON.stringify(config), { mode: 0o600 });
  const gateway = { port: ports.gateway, logFile: logFile(site, "gateway"), configFile };
  await parts.start("gateway", () => published(startGateway(gateway), "call", options.onPublished));
}

/** Writes the settings of the demo's servers and terminals beside the stack file. */
async function writeSettings(site: Site, file: StackFile): Promise<void> {
  const webhookPort = site.options.ports === "fixed" ? WEBHOOK_PORT : await freePort();
  const { demo, terminal } = settingsPaths(site);
  await writeFile(demo, demoEnv({ ...file, webhookPort }), { mode: 0o600 });
  await writeFile(terminal, terminalEnv(file), { mode: 0o600 });
}

/** Writes the stack file, and starts the demo's autopilot. */
async function handOver(site: Site, { partner, hosts, announcedAgain }: StartedApp): Promise<Stack> {
  const { options, parts } = site;
  const hostParts = site.places.map(({ part }) => part);
  const partOf = (host: number) => hostParts[host] ?? `host ${host}`;
  const { live, pages } = options;
  const file = stackFile({ ...site, faultsUrl: site.faults.url, liveUrl: live?.url, pages }, partner);
  await writeSettings(site, file);
  await writeFile(stackFilePath(site), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  const memoryOf = (terminal: DemoTerminal) => terminalMemory(options.keep, terminal);
  const autopilots = newAutopilots(file, { ...options, memoryOf });
  if (!options.isEmpty && !options.withoutAutopilot) autopilots.start(partner);
  return {
    file,
    secrets: { ...site.secrets, ...site.consumer.settings },
    announcedAgain,
    memoryOf,
    failed: parts.failed(options.isReplaceable ? partOf(0) : undefined),
    hostParts,
    pidOf: parts.pidOf,
    async addPartner(settings) {
      const added = await seedPartner(seedTarget(site), settings);
      if (!settings?.withoutAutopilot) autopilots.start(added);
      return added;
    },
    faults: site.faults.board,
    killFunctions: (host = 0) => parts.kill(partOf(host)),
    startFunctions: (host = 0) => parts.restart(partOf(host)),
    replaceFunctions: () => hosts.replace(),
    restartFunctions: (host = 0) => hosts.restart(host),
    hostKeysFile: hostKeysFile(site),
    setFunctionsKeys: (keys) => setNamedValues(parts.channelOf("gateway"), namedValuesOf(site, keys)),
    freezeServiceBus() {
      const pid = parts.pidOf("service bus");
      process.kill(pid, "SIGSTOP");
      return () => void process.kill(pid, "SIGCONT");
    },
    purgeServiceBus: () => parts.restart("service bus"),
    loseTables: () => parts.restart("tables"),
    async stop() {
      await autopilots.stop();
      await endAll(site);
      await removeStackFile(site);
    },
  };
}
