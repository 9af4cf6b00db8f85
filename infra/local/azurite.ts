import { fileURLToPath } from "node:url";
import { startChild, type Child } from "./child.ts";

const launcher = fileURLToPath(new URL("azurite/main.ts", import.meta.url));

/** The emulator's well-known account. It protects nothing. */
const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

export const tablesConnection = (port: number): string =>
  `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};TableEndpoint=http://127.0.0.1:${port}/${ACCOUNT};`;

const common = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck", "--silent"];

/** Microsoft's own emulator of Table Storage, in memory. It is not drained: its data ends with it anyway. */
export async function startTables(port: number, logFile: string): Promise<Child<true>> {
  const args = ["table/main.js", ...common, "--tableHost", "127.0.0.1", "--tablePort", String(port)];
  return startAzurite("Azurite (tables)", args, logFile);
}

/** Tables, blobs and queues: the storage account that `func start` expects. */
export async function startStorage(
  ports: { readonly blobs: number; readonly queues: number; readonly tables: number },
  logFile: string,
): Promise<Child<true>> {
  const hosts = ["blob", "queue", "table"].flatMap((part) => [`--${part}Host`, "127.0.0.1"]);
  const args = ["--blobPort", ports.blobs, "--queuePort", ports.queues, "--tablePort", ports.tables].map(String);
  return startAzurite("Azurite", ["azurite.js", ...common, ...hosts, ...args], logFile);
}

async function startAzurite(name: string, args: readonly string[], logFile: string) {
  const isReady = (line: string) => (/Table service (?:is )?successfully/.test(line) ? true : undefined);
  const child = await startChild<true>({ name, script: launcher, args, logFile, readyWhen: isReady });
  return { ...child, stop: child.kill };
}
