import { fileURLToPath } from "node:url";
import { programFile } from "../../../infra/tools/packed.ts";
import { readyLine, startChild, type Child } from "./child.ts";
import type { Channel } from "../../local-azure/common/channel.ts";

// Starts the parts of the local cloud that are programs of this repository. Azurite and the mail sink have their own files.

interface Listening {
  readonly ready: true;
  readonly port: number;
}

interface Process {
  readonly port: number;
  readonly logFile: string;
}

interface ServiceBusProcess extends Process {
  /** The settings of every queue, instead of `infra/azure/service-bus/overrides.json`. */
  readonly overridesFile?: string | undefined;
}

/** The key of Microsoft's emulator. It protects nothing. */
export const serviceBusConnection = (port: number): string =>
  `Endpoint=sb://localhost:${port};SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;`;

export const startServiceBus = ({
  port,
  logFile,
  overridesFile = declared("overrides.json"),
}: ServiceBusProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the Service Bus",
    script: script("../../local-azure/service-bus/service-bus"),
    args: ["--port", String(port), "--queues", declared("queues.json"), "--overrides", overridesFile],
    logFile,
    readyWhen: readyLine<Listening>,
  });

interface FunctionsProcess extends Process {
  readonly keysFile: string;
  /** The folder of the built app. */
  readonly app: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The functions that the host runs. Undefined: all. */
  readonly scaleGroup?: string | undefined;
  /** Opens the host to debuggers on this port of loopback. 0 chooses a free port. */
  readonly inspect?: number | undefined;
  /** Stops as Azure's host does: it cuts off what still runs after this many seconds. Azure's host takes 30. */
  readonly azureStopSeconds?: number | undefined;
  /** Receives each line that the host and the app write. */
  readonly onLine?: ((line: string) => void) | undefined;
}

const word = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [name, String(value)];

export const startFunctionsHost = ({
  port,
  logFile,
  keysFile,
  app,
  settings,
  scaleGroup,
  inspect,
  azureStopSeconds,
  onLine,
}: FunctionsProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the Functions host",
    script: script("../../local-azure/functions-host/functions-host"),
    nodeOptions: inspect === undefined ? [] : [`--inspect=127.0.0.1:${inspect}`],
    args: ["--directory", app, "--port", String(port), "--keys", keysFile].concat(
      word("--scale-group", scaleGroup),
      word("--azure-stop", azureStopSeconds),
    ),
    env: settings,
    logFile,
    onLine,
    readyWhen: readyLine<Listening>,
  });

interface FrontEndProcess extends Process {
  /** The ports of the app's hosts. */
  readonly hosts: readonly number[];
}

/** Starts the front end of several hosts of one app. */
export const startFrontEnd = ({ port, logFile, hosts }: FrontEndProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the front end",
    script: script("front-end"),
    args: ["--port", String(port), "--hosts", hosts.join(",")],
    logFile,
    readyWhen: readyLine<Listening>,
  });

interface GatewayProcess extends Process {
  readonly configFile: string;
}

export const startGateway = ({ port, logFile, configFile }: GatewayProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the gateway",
    script: script("../../local-azure/gateway/api-management"),
    args: ["--port", String(port), "--config", configFile],
    logFile,
    readyWhen: readyLine<Listening>,
  });

const SET_WITHIN_MS = 10_000;

/** Gives a running gateway other named values, as a change in API Management does. Resolves when every new request uses them. */
export async function setNamedValues(gateway: Channel, namedValues: Readonly<Record<string, string>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const onMessage = (message: unknown) => {
    if (typeof message === "object" && message !== null && "namedValuesSet" in message) resolve(message.namedValuesSet);
  };
  gateway.on("message", onMessage);
  const late = setTimeout(() => resolve("the gateway does not respond"), SET_WITHIN_MS);
  gateway.send?.({ namedValues });
  const outcome = await promise;
  clearTimeout(late);
  gateway.off("message", onMessage);
  if (outcome !== true) throw new Error(`The named values were not set: ${String(outcome)}`);
}

const script = (path: string) => programFile(path, import.meta.url);
/** The queues as Azure gets them. */
const declared = (file: string) => fileURLToPath(new URL(`../../../infra/azure/service-bus/${file}`, import.meta.url));
/** The policies of API Management, as Azure gets them. */
export const policies = fileURLToPath(new URL("../../../infra/azure/apim", import.meta.url));
