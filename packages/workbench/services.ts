import { join, resolve } from "node:path";
import { createTables } from "../../infra/operator/common/create-tables.ts";
import { newScript, runScript, UsageError } from "../../infra/tools/script.ts";
import { startStorage, tablesConnection } from "./stack/azurite.ts";
import { assertFree, freePort } from "../local-azure/common/free-ports.ts";
import { startMailSink } from "./stack/consumer.ts";
import { directoryFor, freshLogs, removeLeftovers } from "./stack/directories.ts";
import { shownPath } from "../../infra/tools/running-stacks.ts";
import { startFaults } from "./stack/faults-of-stack.ts";
import { newParts } from "./stack/parts.ts";
import { fixedPorts } from "./stack/ports.ts";
import { startServiceBus } from "./stack/processes.ts";
import { writeLocalSettings } from "./start/local-settings.ts";
import { untilStopped } from "./start/until-stopped.ts";

// `npm run services` starts the services that `func start` needs, and writes the settings with their addresses.

interface Words {
  readonly ports?: "free";
  readonly settings: string;
}

export const script = newScript(
  "npm run services --",
  "Starts Azurite, the Service Bus and a mail sink for `func start`, creates the tables, and writes the app's settings.",
  [
    "npm run services",
    "npm run services -- --ports 0 --settings /tmp/settings.json   # for a host that takes any port",
  ],
)
  .option("--ports <0>", "take free ports; func start finds a Service Bus only on the fixed port", (text) => {
    if (text !== "0") throw new UsageError(`--ports must be 0, for free ports, not "${text}".`);
    return "free";
  })
  .option("--settings <file>", "the file for the settings; an existing file is not changed", "local.settings.json")
  .action((words: Words) => startServices(words));

async function startServices(words: Words): Promise<void> {
  const ports = words.ports === "free" ? await freePorts() : await fixedOnes();
  const directory = directoryFor(words.ports ?? "fixed");
  await removeLeftovers();
  const faults = await startFaults(ports.faults);
  const logs = await freshLogs(directory);
  const parts = newParts();
  const stop = async () => void (await Promise.all([faults.stop(), parts.stop()]));
  const log = (part: string) => join(logs, `${part}.log`);
  const bus = { port: ports.serviceBus, logFile: log("service-bus") };
  try {
    await Promise.all([
      parts.start("storage", () => faults.served("tables", startStorage(ports, log("azurite")))),
      parts.start("service bus", () => faults.served("queues", startServiceBus(bus))),
      parts.start("mails", () => startMailSink(ports, log("mails"))),
    ]);
    await createTables(tablesConnection(ports.tables));
    console.log(await settingsFor(words.settings, ports));
  } catch (error) {
    await stop();
    throw error;
  }
  console.log(
    `Azurite (tables ${ports.tables}), the Service Bus (${ports.serviceBus}), the mail sink ` +
      `(http://127.0.0.1:${ports.mails}/mails) and the switch for faults (${faults.url}) are running. Now: func start`,
  );
  await untilStopped(stop, { failed: parts.failed(), logs });
}

async function settingsFor(file: string, ports: ServicesPorts): Promise<string> {
  const target = resolve(file);
  return (await writeLocalSettings(target, ports))
    ? `${shownPath(target)} has the settings for these services.`
    : `${shownPath(target)} exists and was not changed.`;
}

type ServicesPorts = Readonly<
  Record<"tables" | "blobs" | "queues" | "serviceBus" | "smtp" | "mails" | "faults", number>
>;

/** The fixed ports. Throws if one is taken. The real trigger may use a version of .NET's Service Bus client that supports port 5672 only. */
async function fixedOnes(): Promise<ServicesPorts> {
  const { serviceBus, blobs, queues, tables, smtp, mails, faults } = fixedPorts;
  const azurite = [blobs, queues, tables].map((port) => [port, "Azurite"] as const);
  const mailSink = [smtp, mails].map((port) => [port, "the mail sink"] as const);
  await assertFree(
    [[serviceBus, "the Service Bus"], ...azurite, ...mailSink, [faults, "the switch for faults"]],
    "End that, or type for a host that takes any port: npm run services -- --ports 0",
  );
  return fixedPorts;
}

const freePorts = async (): Promise<ServicesPorts> => ({
  tables: await freePort(),
  blobs: await freePort(),
  queues: await freePort(),
  serviceBus: await freePort(),
  smtp: await freePort(),
  mails: await freePort(),
  faults: await freePort(),
});

if (import.meta.main) await runScript(script);
