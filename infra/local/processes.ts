import { fileURLToPath } from "node:url";
import { readyLine, startChild, type Child } from "./child.ts";

// The parts of the local cloud that are programs of this repository. Azurite and the mail sink have files of their own.

interface Listening {
  readonly ready: true;
  readonly port: number;
}

interface Process {
  readonly port: number;
  readonly logFile: string;
}

interface ServiceBusProcess extends Process {
  /** The settings of every queue, in place of `infra/service-bus/overrides.json`. */
  readonly overridesFile?: string | undefined;
}

/** The key of Microsoft's emulator. It protects nothing. */
export const serviceBusConnection = (port: number): string =>
  `Endpoint=sb://localhost:${port};SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;UseDevelopmentEmulator=true;`;

export const startServiceBus = ({ port, logFile, overridesFile }: ServiceBusProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the Service Bus",
    script: script("service-bus/main.ts"),
    args: ["--port", String(port), ...(overridesFile === undefined ? [] : ["--overrides", overridesFile])],
    logFile,
    readyWhen: readyLine<Listening>,
  });

interface FunctionsProcess extends Process {
  readonly keysFile: string;
  /** The folder of the built app. */
  readonly app: string;
  /** The app settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Receives each line that the host and the app write. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export const startFunctionsHost = ({
  port,
  logFile,
  keysFile,
  app,
  settings,
  onLine,
}: FunctionsProcess): Promise<Child<Listening>> =>
  startChild<Listening>({
    name: "the Functions host",
    script: script("functions-host/main.ts"),
    args: ["--directory", app, "--port", String(port), "--keys", keysFile],
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
    script: script("front-end.ts"),
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
    script: script("gateway/main.ts"),
    args: ["--port", String(port), "--config", configFile],
    logFile,
    readyWhen: readyLine<Listening>,
  });

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
