import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildApp } from "../build.ts";
import { startStorage } from "./azurite.ts";
import { startMailSink } from "./consumer.ts";
import { directoryFor, freshLogs, removeLeftovers, shownPath } from "./directories.ts";
import { startFaults } from "./faults-of-stack.ts";
import { curlFor, samplePayment } from "./first-payment.ts";
import { liveLog } from "./live-log.ts";
import { newParts } from "./parts.ts";
import { assertFree } from "./common/free-ports.ts";
import { fixedPorts } from "./ports.ts";
import { startServiceBus } from "./processes.ts";
import { startReference } from "./reference/reference.ts";
import { startStack } from "./stack.ts";

// `npm start` starts everything and shows the app's log, with `--quiet` without it; `npm run services` starts only what `func start` needs.

const { values: args } = parseArgs({
  options: {
    ports: { type: "string" },
    services: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
  },
});
const root = fileURLToPath(new URL("../../", import.meta.url));
const ports = args.ports === "0" ? "free" : "fixed";
const directory = directoryFor(ports);

try {
  if (args.ports !== undefined && args.ports !== "0") throw new Error("--ports takes 0, for free ports.");
  await (args.services ? services() : everything());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function everything(): Promise<void> {
  const began = performance.now();
  if (ports === "fixed") await assertFree(fixedPorts.reference, "the reference");
  await removeLeftovers();
  await buildApp();
  const live = newLiveLog();
  const stack = await startStack({ ports, directory, ...(live && { onAppLine: live.show }) });
  const { file } = stack;
  const port = ports === "free" ? 0 : fixedPorts.reference;
  const reference = await startReference({ port, stack: file }).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`
The payment platform is running (ready in ${seconds} s). Everything is in memory and gone when you stop it.

  Reference       ${reference.url}  (read the APIs, and try them)

  Partners API    ${file.partnersUrl}
  Consumer API    ${file.consumerUrl}
  Terminal API    ${file.terminalsUrl}
  Functions       ${file.functionsUrl}  (behind the gateway; needs the x-functions-key)
  Tables          ${file.tables.split(";").find((part) => part.startsWith("TableEndpoint"))}
  Service Bus     ${file.serviceBus.split(";")[0]}
  Mails           ${file.mails}
  Faults          ${file.faults}  (sets faults of tables and queues: see docs/running.md)

  apikey                      ${file.demo.apikey}
  Ocp-Apim-Subscription-Key   ${file.demo.subscriptionKey}
  x-functions-key, partners   ${file.demo.functionsKeys.partners}
  x-functions-key, terminals  ${file.demo.functionsKeys.terminals}
  webhook secret              ${file.demo.webhookSecret}
  terminal on autopilot       ${file.demo.terminals.autopilot.pointOfServiceID}
  terminal that is silent     ${file.demo.terminals.silent.pointOfServiceID}

All of this is also in ${shownPath(join(directory, "stack.json"))}; logs are in ${shownPath(join(directory, "logs"))}. Request a payment (or: npm run try):

${curlFor(file, samplePayment(file))}

Ctrl-C stops everything.${live ? " The app's log:" : ""}
`);
  live?.begin();
  const stop = async () => {
    await reference.stop();
    await stack.stop();
  };
  await untilStopped(stop, stack.failed);
}

/** Keeps the lines of the start until the addresses are printed; undefined with `--quiet`. */
function newLiveLog(): { readonly show: (line: string) => void; readonly begin: () => void } | undefined {
  if (args.quiet) return undefined;
  const isColoured = process.stdout.isTTY && process.stdout.hasColors() && process.env["CI"] === undefined;
  const show = liveLog({ isColoured, write: (line) => console.log(line) });
  let waiting: string[] | undefined = [];
  return {
    show: (line) => (waiting ? void waiting.push(line) : show(line)),
    begin() {
      waiting?.forEach(show);
      waiting = undefined;
    },
  };
}

async function services(): Promise<void> {
  // The real trigger uses .NET's Service Bus client, which supports no other port.
  await assertFree(fixedPorts.serviceBus, "the Service Bus");
  for (const port of [fixedPorts.blobs, fixedPorts.queues, fixedPorts.tables]) await assertFree(port, "Azurite");
  for (const port of [fixedPorts.smtp, fixedPorts.mails]) await assertFree(port, "the mail sink");
  await assertFree(fixedPorts.faults, "the switch for faults");
  const faults = await startFaults(fixedPorts.faults);
  const logs = await freshLogs(directory);
  const parts = newParts();
  const stop = async () => void (await Promise.all([faults.stop(), parts.stop()]));
  const log = (part: string) => join(logs, `${part}.log`);
  const bus = { port: fixedPorts.serviceBus, logFile: log("service-bus") };
  try {
    await Promise.all([
      parts.start("storage", () => faults.served("tables", startStorage(fixedPorts, log("azurite")))),
      parts.start("service bus", () => faults.served("queues", startServiceBus(bus))),
      parts.start("mails", () => startMailSink(fixedPorts, log("mails"))),
    ]);
    await offerLocalSettings();
  } catch (error) {
    await stop();
    throw error;
  }
  console.log(
    `Azurite (tables ${fixedPorts.tables}), the Service Bus (${fixedPorts.serviceBus}), the mail sink ` +
      `(http://127.0.0.1:${fixedPorts.mails}/mails) and the switch for faults (${faults.url}) are running. Now: func start`,
  );
  await untilStopped(stop, parts.failed());
}

/** Writes local.settings.json from the example. An existing file is never changed. */
async function offerLocalSettings(): Promise<void> {
  const target = join(root, "local.settings.json");
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists) return console.log("local.settings.json exists and was not changed.");
  const example = await readFile(join(root, "local.settings.example.json"), "utf8");
  await writeFile(target, example);
}

/** Waits for Ctrl-C, or for a part to end by itself, then ends the rest. */
async function untilStopped(stop: () => Promise<void>, failed: Promise<string>): Promise<void> {
  const signalled = Promise.withResolvers<undefined>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => signalled.resolve(undefined));
  const ended = await Promise.race([signalled.promise, failed]);
  if (ended !== undefined) {
    console.error(`${ended} ended by itself; its log is in ${shownPath(join(directory, "logs"))}. Stopping the rest.`);
    process.exitCode = 1;
  }
  await stop();
}
