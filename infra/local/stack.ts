import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startTables, tablesConnection } from "./azurite.ts";
import { readyLine, startChild, type Child } from "./child.ts";
import { mailSettings, newConsumer, seedTemplate, startMailSink, type DemoConsumer } from "./consumer.ts";
import { assertFree, fixedPorts, freePort } from "./ports.ts";
import { createTables, seedPartner, type DemoPartner } from "./seed.ts";
import { startAutopilot } from "./terminal/autopilot.ts";
import { terminalClient } from "./terminal/terminal-client.ts";

/** What a client of the running stack needs to know; written to `.local/stack.json`. */
export interface StackFile {
  readonly partnersUrl: string;
  readonly terminalsUrl: string;
  readonly consumerUrl: string;
  readonly functionsUrl: string;
  readonly tables: string;
  readonly serviceBus: string;
  /** What was mailed, as JSON: nothing leaves this machine. */
  readonly mails: string;
  readonly demo: DemoPartner & {
    readonly consumer: DemoConsumer;
    readonly subscriptionKey: string;
    readonly functionsHostKey: string;
    /** What a partner's server adds to each of its requests. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

export interface StackOptions {
  /** The fixed ports, or free ones. */
  readonly ports: "fixed" | "free";
  /** Where logs, keys and `stack.json` go. */
  readonly directory: string;
  /** App settings beside those that the stack itself gives: deadlines, for instance. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What stands between the app and its dependencies, in tests that disturb them. */
  readonly between?: (real: { tables: number; serviceBus: number }) => Promise<{ tables: number; serviceBus: number }>;
  /** What holds for every queue, in place of `infra/service-bus/overrides.json`. */
  readonly queueOverrides?: Readonly<Record<string, unknown>>;
  /** Milliseconds a step of the autopilot takes. */
  readonly paceMs?: number;
}

export interface Stack {
  readonly file: StackFile;
  /** Adds another partner with terminals of its own. */
  addPartner(settings?: { strictOrders?: boolean; withoutAutopilot?: boolean }): Promise<DemoPartner>;
  /** Ends the functions host as a power cut would. */
  killFunctions(): Promise<void>;
  /** Starts it again after that, on the same port. */
  startFunctions(): Promise<void>;
  /** Ends the Service Bus and starts it anew, empty: every message is lost. */
  purgeServiceBus(): Promise<void>;
  /** Resolves when a part ended by itself. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

interface Listening {
  readonly ready: true;
  readonly port: number;
}

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PEPPER_ID = "local";

export const serviceBusConnection = (port: number): string =>
  `Endpoint=sb://localhost:${port};SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;`;

export const startServiceBus = (port: number, logFile: string, overrides?: string): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the Service Bus",
    script: script("service-bus/main.ts"),
    args: ["--port", String(port), ...(overrides === undefined ? [] : ["--overrides", overrides])],
    logFile,
    readyWhen: readyLine<Listening>,
  });

/** Brings the whole system up on loopback, each part in a process of its own, and seeds a demo. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { directory } = options;
  const logs = join(directory, "logs");
  await mkdir(logs, { recursive: true });
  const ports = await choosePorts(options.ports);
  const parts = new Map<string, Child>();
  let ending = false; // from then on a part that ends was meant to
  const autopilots: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    ending = true;
    await Promise.all(autopilots.map((a) => a.stop()));
    for (const part of [...parts.values()].toReversed()) await part.stop(); // functions first: they still settle messages
  };
  try {
    const overrides = options.queueOverrides && join(directory, "overrides.json");
    if (overrides !== undefined) await writeFile(overrides, JSON.stringify(options.queueOverrides));
    const startBus = () => startServiceBus(ports.serviceBus, join(logs, "service-bus.log"), overrides);
    const [tablesChild, busChild, mailsChild] = await Promise.all([
      startTables(ports.tables, join(logs, "tables.log")),
      startBus(),
      startMailSink(ports, join(logs, "mails.log")),
    ]);
    parts.set("tables", tablesChild).set("service bus", busChild).set("mails", mailsChild);
    const real = { tables: ports.tables, serviceBus: ports.serviceBus };
    const seen = (await options.between?.(real)) ?? real;

    const pepper = randomBytes(24).toString("hex");
    const functionsHostKey = randomBytes(24).toString("base64url");
    const keysFile = join(directory, "host-keys.json");
    const consumer = await newConsumer();
    const functions = Object.entries(consumer.demo.functionKeys).map(([name, key]) => [name, { consumer: key }]);
    const keys = {
      master: randomBytes(24).toString("base64url"),
      host: { gateway: functionsHostKey },
      functions: Object.fromEntries(functions) as Record<string, Record<string, string>>,
    };
    await writeFile(keysFile, JSON.stringify(keys), { mode: 0o600 });
    const seed = { tables: tablesConnection(ports.tables), pepperId: PEPPER_ID, pepper };
    const startFunctions = () =>
      startChild<Listening>({
        name: "the Functions host",
        script: script("functions-host/main.ts"),
        args: ["--directory", script("../../dist"), "--port", String(ports.functions), "--keys", keysFile],
        env: {
          TABLES_CONNECTION: tablesConnection(seen.tables),
          SERVICE_BUS_CONNECTION: serviceBusConnection(seen.serviceBus),
          KEY_PEPPERS: JSON.stringify({ [PEPPER_ID]: pepper }),
          WEBHOOKS_ALLOW_LOOPBACK: "true",
          ...consumer.settings,
          ...mailSettings(ports.smtp),
          ...options.settings,
        },
        logFile: join(logs, "functions.log"),
        readyWhen: readyLine<Listening>,
      });
    await createTables(seed.tables);
    const [partner, functionsChild] = await Promise.all([
      seedPartner(seed),
      startFunctions(),
      seedTemplate(seed.tables, consumer.demo),
    ]);
    parts.set("functions", functionsChild);

    const functionsUrl = `http://127.0.0.1:${ports.functions}`;
    const gatewayUrl = `http://127.0.0.1:${ports.gateway}`;
    const subscriptionKey = randomBytes(16).toString("hex");
    const gatewayFile = join(directory, "gateway.json");
    const gateway = {
      namedValues: { "functions-host-key": functionsHostKey },
      subscriptions: [{ id: "demo", primaryKey: subscriptionKey, secondaryKey: randomBytes(16).toString("hex") }],
      backendUrl: functionsUrl,
    };
    await writeFile(gatewayFile, JSON.stringify(gateway), { mode: 0o600 });
    const gatewayChild = await startChild<Listening>({
      name: "the gateway",
      script: script("gateway/main.ts"),
      args: ["--port", String(ports.gateway), "--config", gatewayFile],
      logFile: join(logs, "gateway.log"),
      readyWhen: readyLine<Listening>,
    });
    parts.set("gateway", gatewayChild);
    const terminalsUrl = `${gatewayUrl}/terminals`;
    const addAutopilot = ({ terminals }: DemoPartner) => {
      const { terminalKey } = terminals.autopilot;
      const client = terminalClient({ terminalsUrl, terminalKey });
      autopilots.push(startAutopilot(client, { paceMs: options.paceMs ?? 100 }));
    };
    addAutopilot(partner);

    const file: StackFile = {
      partnersUrl: `${gatewayUrl}/partners`,
      terminalsUrl,
      consumerUrl: `${gatewayUrl}/consumer`,
      functionsUrl,
      tables: seed.tables,
      serviceBus: serviceBusConnection(ports.serviceBus),
      mails: `http://127.0.0.1:${ports.mails}/mails`,
      demo: {
        ...partner,
        consumer: consumer.demo,
        subscriptionKey,
        functionsHostKey,
        headers: partnerHeaders(partner.apikey, subscriptionKey),
      },
    };
    await writeFile(join(directory, "stack.json"), `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    const failed = Promise.race([...parts.values()].map((part) => part.ended.then(() => part.name))).then((name) =>
      ending ? new Promise<never>(() => {}) : name,
    );
    return {
      file,
      failed,
      async addPartner(settings) {
        const added = await seedPartner(seed, settings);
        if (!settings?.withoutAutopilot) addAutopilot(added);
        return added;
      },
      async killFunctions() {
        ending = true;
        await parts.get("functions")?.kill();
      },
      async startFunctions() {
        parts.set("functions", await startFunctions());
      },
      async purgeServiceBus() {
        ending = true;
        await parts.get("service bus")?.stop();
        parts.set("service bus", await startBus());
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The headers that the specification demands of a partner; the client adds Host. */
export const partnerHeaders = (apikey: string, subscriptionKey: string) => ({
  apikey,
  "Ocp-Apim-Subscription-Key": subscriptionKey,
  "Ocp-Apim-Trace": "true",
  "Content-Type": "application/json",
});

async function choosePorts(ports: StackOptions["ports"]) {
  if (ports === "free") {
    return {
      gateway: await freePort(),
      functions: await freePort(),
      tables: await freePort(),
      serviceBus: await freePort(),
      smtp: await freePort(),
      mails: await freePort(),
    };
  }
  await assertFree(fixedPorts.gateway, "the gateway");
  await assertFree(fixedPorts.functions, "the Functions host");
  await assertFree(fixedPorts.tables, "Azurite");
  await assertFree(fixedPorts.serviceBus, "the Service Bus");
  for (const port of [fixedPorts.smtp, fixedPorts.mails]) await assertFree(port, "the mail sink");
  return fixedPorts;
}
