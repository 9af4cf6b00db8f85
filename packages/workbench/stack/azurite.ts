import { AzureNamedKeyCredential, generateAccountSas } from "@azure/data-tables";
import { programFile } from "../../../infra/tools/packed.ts";
import { startChild, type Child, type ChildOptions } from "./child.ts";

const launcher = programFile("../../local-azure/azurite/faulty-azurite", import.meta.url);

/** The emulator's well-known account. It protects nothing. */
const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

type Endpoints = Readonly<Partial<Record<"Blob" | "Queue" | "Table", number>>>;

const connection = (ports: Endpoints): string =>
  [
    `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};`,
    ...Object.entries(ports).map(([service, port]) => `${service}Endpoint=http://127.0.0.1:${port}/${ACCOUNT};`),
  ].join("");

export const tablesConnection = (port: number): string => connection({ Table: port });

/**
 * The app's own access to the tables: a shared access signature, which is the same on each call. So the app signs no call. In Azure it
 * signs none either, because it has an identity.
 */
export function tablesAccess(port: number): string {
  const ends = new Date("2099-01-01T00:00:00Z");
  const permissions = { query: true, write: true, delete: true, list: true, add: true, update: true } as const;
  const signature = generateAccountSas(new AzureNamedKeyCredential(ACCOUNT, KEY), { expiresOn: ends, permissions });
  return `TableEndpoint=http://127.0.0.1:${port}/${ACCOUNT};SharedAccessSignature=${signature}`;
}

interface StoragePorts {
  readonly blobs: number;
  readonly queues: number;
  readonly tables: number;
}

export const storageConnection = ({ blobs, queues, tables }: StoragePorts): string =>
  connection({ Blob: blobs, Queue: queues, Table: tables });

const common = ["--inMemoryPersistence", "--disableTelemetry", "--skipApiVersionCheck", "--silent"];

/** TLS and identities, as in Azure. */
interface TablesOfIdentities {
  /** The PEM files of the certificate and of its private key. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The account. A caller without its key needs a token of Microsoft Entra ID. Azurite checks the token, but not its signature. */
  readonly account: string;
  readonly key: string;
}

interface TablesOptions {
  readonly secured?: TablesOfIdentities | undefined;
  /** The file that keeps the tables. If left out, they are in memory only. */
  readonly keep?: string | undefined;
}

/** Microsoft's own emulator of Table Storage. It is killed, not drained: its data are in memory only, or already in their file. */
export async function startTables(
  port: number,
  logFile: string,
  { secured, keep }: TablesOptions = {},
): Promise<Child<true>> {
  const kept = keep === undefined ? [] : ["--keep", keep];
  const args = ["table/main.js", ...kept, "--", ...common, "--tableHost", "127.0.0.1", "--tablePort", String(port)];
  if (!secured) return startAzurite("Azurite (tables)", args, logFile);
  const tls = ["--cert", secured.certFile, "--key", secured.keyFile, "--oauth", "basic"];
  const env = { AZURITE_ACCOUNTS: `${secured.account}:${secured.key}` };
  return startAzurite("Azurite (tables)", [...args, ...tls], logFile, env);
}

/** Tables, blobs and queues: the storage account that `func start` expects. */
export async function startStorage(ports: StoragePorts, logFile: string): Promise<Child<true>> {
  const hosts = ["blob", "queue", "table"].flatMap((part) => [`--${part}Host`, "127.0.0.1"]);
  const args = ["--blobPort", ports.blobs, "--queuePort", ports.queues, "--tablePort", ports.tables].map(String);
  return startAzurite("Azurite", ["azurite.js", "--", ...common, ...hosts, ...args], logFile);
}

async function startAzurite(
  name: string,
  args: readonly string[],
  logFile: string,
  env: ChildOptions<true>["env"] = {},
) {
  const isReady = (line: string) => (/Table service (?:is )?successfully/.test(line) ? true : undefined);
  const child = await startChild<true>({ name, script: launcher, args, env, logFile, readyWhen: isReady });
  return { ...child, stop: child.kill };
}
