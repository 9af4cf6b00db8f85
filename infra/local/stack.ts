import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_BODY_BYTES } from "../../shared/http/read-body.ts";
import { createTables } from "../../shared/tables/create-tables.ts";
import { builtApp } from "../build.ts";
import { startTables, tablesConnection } from "./azurite.ts";
import { mailSettings, newConsumer, seedTemplate, startMailSink, type NewConsumer } from "./consumer.ts";
import { freshLogs } from "./directories.ts";
import { startFaults, type StackFaults } from "./faults-of-stack.ts";
import { hostPart, startHosts, type RunningHosts } from "./hosts.ts";
import { newParts, type Parts } from "./parts.ts";
import { choosePorts, type Dependencies, type Ports } from "./ports.ts";
import { serviceBusConnection, startGateway, startServiceBus } from "./processes.ts";
import { functionsKeysOf, hostKeys, newSecrets, peppersOf, type Secrets } from "./secrets.ts";
import { noPartner, seedPartner, type DemoPartner } from "./seed.ts";
import { loopback, stackFile, type StackFile } from "./stack-file.ts";
import { startAutopilot } from "./terminal/autopilot.ts";
import { terminalClient } from "./terminal/terminal-client.ts";

export interface StackOptions {
  /** The fixed ports, or free ones. */
  readonly ports: "fixed" | "free";
  /** The folder for logs, keys and `stack.json`. */
  readonly directory: string;
  /** App settings besides those that the stack itself sets: deadlines, for instance. Read at each start of a host. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The number of the app's hosts, which share tables, queues and keys; one where left out. */
  readonly hosts?: number;
  /** The folder of the built app for a host, read at each of its starts; the last build where left out. */
  readonly app?: (host: number) => string;
  /** What is placed between each host of the app and its dependencies, in tests that disturb them. */
  readonly between?: (real: Dependencies, host: number) => Promise<Dependencies>;
  /** The settings of every queue, in place of `infra/service-bus/overrides.json`. */
  readonly queueOverrides?: Readonly<Record<string, unknown>>;
  /** Receives each line that the app and its hosts write. */
  readonly onAppLine?: (line: string) => void;
  /** Milliseconds of one step of the autopilot. */
  readonly paceMs?: number;
  /** Starts without tables, partner, terminals and template: an operator makes them. The members of `demo` about a partner are empty. */
  readonly isEmpty?: boolean;
}

export interface Stack {
  readonly file: StackFile;
  /** The secrets among the stack's keys and its app's settings, by name: what no log may hold. */
  readonly secrets: Readonly<Record<string, unknown>>;
  /** Adds another partner with terminals of its own. */
  addPartner(settings?: { strictOrders?: boolean; withoutAutopilot?: boolean }): Promise<DemoPartner>;
  /** Sets faults of tables and queues, as the switch at `file.faults` does. */
  readonly faults: Pick<StackFaults["board"], "set" | "clear" | "list">;
  /** Ends a functions host at once, like a power cut; the first where left out. */
  killFunctions(host?: number): Promise<void>;
  /** Starts the host again, on the same port. */
  startFunctions(host?: number): Promise<void>;
  /** Restarts the host with the settings and host keys of now. With several hosts no caller is refused. */
  restartFunctions(host?: number): Promise<void>;
  /** The file of the keys that the hosts accept, read at each start of a host. */
  readonly hostKeysFile: string;
  /**
   * Freezes the Service Bus like a machine that hangs: connections stay, and there is no response. Returns a function that resumes it.
   * POSIX only.
   */
  freezeServiceBus(): () => void;
  /** Ends the Service Bus and starts it again, empty: every message is lost. */
  purgeServiceBus(): Promise<void>;
  /** The process id of a part: `functions` (then `functions-2`), `gateway`, `tables`, `service bus`, `front end`. */
  readonly pidOf: (part: string) => number;
  /** Resolves when a part ended by itself. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** What the steps of a start share. */
interface Site {
  readonly options: StackOptions;
  readonly ports: Ports;
  readonly parts: Parts;
  readonly secrets: Secrets;
  readonly consumer: NewConsumer;
  readonly faults: StackFaults;
}

/** Starts the whole system on loopback, each part in a process of its own, and seeds a demo. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const ports = await choosePorts(options.ports);
  const consumer = await newConsumer();
  const faults = await startFaults(ports.faults);
  const site: Site = { options, ports, parts: newParts(), secrets: newSecrets(), consumer, faults };
  try {
    await mkdir(options.directory, { recursive: true });
    await removeStackFile(site); // a killed run left its own
    await freshLogs(options.directory);
    await startServices(site);
    const { partner, hosts } = await startApp(site);
    await openGateway(site);
    return await handOver(site, partner, hosts);
  } catch (error) {
    await endAll(site);
    throw error;
  }
}

const endAll = async ({ parts, faults }: Site): Promise<void> =>
  void (await Promise.all([faults.stop(), parts.stop()]));

const stackFilePath = ({ options }: Site) => join(options.directory, "stack.json");
const hostKeysFile = ({ options }: Site) => join(options.directory, "host-keys.json");
const removeStackFile = (site: Site): Promise<void> => rm(stackFilePath(site), { force: true });

const logFile = ({ options }: Site, part: string) => join(options.directory, "logs", `${part}.log`);

/** Starts the services that the app depends on. */
async function startServices(site: Site): Promise<void> {
  const { options, ports, parts, faults } = site;
  const overridesFile = options.queueOverrides && join(options.directory, "overrides.json");
  if (overridesFile !== undefined) await writeFile(overridesFile, JSON.stringify(options.queueOverrides));
  const bus = { port: ports.serviceBus, logFile: logFile(site, "service-bus"), overridesFile };
  await Promise.all([
    parts.start("tables", () => faults.served("tables", startTables(ports.tables, logFile(site, "tables")))),
    parts.start("service bus", () => faults.served("queues", startServiceBus(bus))),
    parts.start("mails", () => startMailSink(ports, logFile(site, "mails"))),
  ]);
}

/** Starts the app's hosts, on tables that hold a demo. */
async function startApp(site: Site): Promise<{ readonly partner: DemoPartner; readonly hosts: RunningHosts }> {
  const { options, ports, parts, consumer } = site;
  const real = { tables: ports.tables, serviceBus: ports.serviceBus };
  const keysFile = hostKeysFile(site);
  await writeFile(keysFile, JSON.stringify(hostKeys(site.secrets, consumer.demo.functionKeys)), { mode: 0o600 });
  const hosts = {
    port: ports.functions,
    count: options.hosts ?? 1,
    keysFile,
    logFile: (part: string) => logFile(site, part),
    app: options.app ?? (() => builtApp),
    onLine: options.onAppLine,
    settings: async (host: number) => {
      const seen = (await options.between?.(real, host)) ?? real;
      return () => appSettings(site, seen);
    },
  };
  const seed = seedTarget(site);
  if (options.isEmpty) return { partner: noPartner, hosts: await startHosts(parts, hosts) };
  await createTables(seed.tables);
  const [partner, running] = await Promise.all([
    seedPartner(seed),
    startHosts(parts, hosts),
    seedTemplate(seed.tables, consumer.demo),
  ]);
  return { partner, hosts: running };
}

const appSettings = (
  { options, ports, secrets, consumer }: Site,
  seen: Dependencies,
): Readonly<Record<string, string>> => ({
  TABLES_CONNECTION: tablesConnection(seen.tables),
  SERVICE_BUS_CONNECTION: serviceBusConnection(seen.serviceBus),
  KEY_PEPPERS: JSON.stringify(peppersOf(secrets)),
  WEBHOOKS_ALLOW_LOOPBACK: "true",
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: String(MAX_BODY_BYTES),
  ...consumer.settings,
  ...mailSettings(ports.smtp),
  ...options.settings,
});

const seedTarget = ({ ports, secrets }: Site) => ({
  tables: tablesConnection(ports.tables),
  peppers: peppersOf(secrets),
});

/** Starts the gateway in front of the app, with a subscription for the demo. */
async function openGateway(site: Site): Promise<void> {
  const { options, ports, parts, secrets } = site;
  const configFile = join(options.directory, "gateway.json");
  const { subscriptionKey: primaryKey, secondarySubscriptionKey: secondaryKey } = secrets;
  const config = {
    namedValues: functionsKeysOf(secrets.functionsKeys),
    subscriptions: [{ id: "demo", primaryKey, secondaryKey }],
    backendUrl: loopback(ports.functions),
  };
  await writeFile(configFile, JSON.stringify(config), { mode: 0o600 });
  const gateway = { port: ports.gateway, logFile: logFile(site, "gateway"), configFile };
  await parts.start("gateway", () => startGateway(gateway));
}

/** Writes the stack file, and starts the demo's autopilot. */
async function handOver(site: Site, partner: DemoPartner, hosts: RunningHosts): Promise<Stack> {
  const { options, parts } = site;
  const file = stackFile({ ...site, faultsUrl: site.faults.url }, partner);
  await writeFile(stackFilePath(site), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  const autopilots: { stop(): Promise<void> }[] = [];
  const addAutopilot = ({ terminals }: DemoPartner) => {
    const client = terminalClient({ terminalsUrl: file.terminalsUrl, terminalKey: terminals.autopilot.terminalKey });
    autopilots.push(startAutopilot(client, { paceMs: options.paceMs ?? 100 }));
  };
  if (!options.isEmpty) addAutopilot(partner);
  return {
    file,
    secrets: { ...site.secrets, ...site.consumer.settings },
    failed: parts.failed(),
    pidOf: parts.pidOf,
    async addPartner(settings) {
      const added = await seedPartner(seedTarget(site), settings);
      if (!settings?.withoutAutopilot) addAutopilot(added);
      return added;
    },
    faults: site.faults.board,
    killFunctions: (host = 0) => parts.kill(hostPart(host)),
    startFunctions: (host = 0) => parts.restart(hostPart(host)),
    restartFunctions: (host = 0) => hosts.restart(host),
    hostKeysFile: hostKeysFile(site),
    freezeServiceBus() {
      const pid = parts.pidOf("service bus");
      process.kill(pid, "SIGSTOP");
      return () => void process.kill(pid, "SIGCONT");
    },
    purgeServiceBus: () => parts.restart("service bus"),
    async stop() {
      await Promise.all(autopilots.map((autopilot) => autopilot.stop()));
      await endAll(site);
      await removeStackFile(site);
    },
  };
}
