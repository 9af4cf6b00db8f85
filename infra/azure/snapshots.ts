import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newScript, runScript } from "../tools/script.ts";
import { bicep } from "./bicep.ts";

// `npm run azure:snapshots` writes the resources of each environment, and for each landing zone what differs from them. Bicep's compiler evaluates the templates without Azure. A diff of
// these files shows what a change of the templates deploys. A test compares them with the templates.

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The variables that the parameter files read. `prod` requires all of them. */
export const variablesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  dev: { AZURE_ENV_NAME: "dev" },
  prod: {
    AZURE_ENV_NAME: "prod",
    ACCESS_LOGS_ID:
      "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/audit/providers/Microsoft.Storage/storageAccounts/staudit",
    READERS_PRINCIPAL_ID: "11111111-1111-4111-8111-111111111111",
    OPERATORS_PRINCIPAL_ID: "22222222-2222-4222-8222-222222222222",
    ADMINISTRATORS_PRINCIPAL_ID: "33333333-3333-4333-8333-333333333333",
    AUDIT_DESTINATION_ID:
      "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/audit/providers/Microsoft.Storage/storageAccounts/staudit",
    EXPORTS_LOCATION: "norwayeast",
    EXPORTS_REPOSITORY: "example/terminal-payments",
    MAIL_FROM: "Vouchers <vouchers@payments.example>",
    PUBLISHER_EMAIL: "operators@payments.example",
    CONSUMER_WEB_ORIGIN: "https://shop.example",
    ALERTS_EMAIL: "operators@payments.example",
    BUDGET_START: "2026-11-01",
  },
};

export const environments = Object.keys(variablesOf);

const SPOKE = "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/network/providers/Microsoft.Network";
const subnet = (name: string) => `${SPOKE}/virtualNetworks/spoke/subnets/${name}`;

/** Members that a platform team adds to `...prod` in environments.bicep for its landing zone. */
export const landingZones: Readonly<Record<string, string>> = {
  "prod-in-network": `existing: {
    network: { subnets: { functions: '${subnet("functions")}', gateway: '${subnet("gateway")}', endpoints: '${subnet("endpoints")}' } }
  }`,
  "prod-premium": `existing: {
    workspaceId: '/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/logs/providers/Microsoft.OperationalInsights/workspaces/central'
  }
  front: { kind: 'frontDoor', url: 'https://payments.example', id: '00000000-0000-4000-8000-000000000001' }
  natGateway: true
  serviceBusSku: 'Premium'`,
};

/** A resource as it would be deployed. A value that only Azure knows is an expression in brackets. */
export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly apiVersion: string;
  /** The resource to which an extension resource, such as a role assignment, belongs. */
  readonly scope?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The resources of an environment's two deployments. */
export interface Snapshot {
  readonly foundation: readonly Resource[];
  readonly main: readonly Resource[];
}

export const snapshotFile = (environment: string): string => join(root, `infra/azure/snapshots/${environment}.json`);

/** The committed snapshot of an environment. */
export const readSnapshot = async (environment: string): Promise<Snapshot> =>
  JSON.parse(await readFile(snapshotFile(environment), "utf8")) as Snapshot;

const GROUP = "rg-payments";
const SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";
const prefix = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/`;

/** The gateway's files by their content, as the templates load it. A snapshot contains their names instead. */
async function filesOfGateway(): Promise<ReadonlyMap<string, string>> {
  const paths = (await readdir(join(root, "infra/azure/apim"), { recursive: true })).map((path) =>
    path.replaceAll("\\", "/"),
  );
  const loaded = paths
    .filter((path) => /\.xml$|^openapi\/.*\.json$/.test(path))
    .map(async (path): Promise<[string, string]> => {
      const text = await readFile(join(root, "infra/azure/apim", path), "utf8");
      return [path.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text, `infra/azure/apim/${path}`];
    });
  return new Map(await Promise.all(loaded));
}

type Evaluated = Resource & { readonly id: string };

/** A resource without its identifier, which repeats type and name. For an extension resource, the identifier also gives the scope. */
function resourceOf({ id, type, name, ...more }: Evaluated): Resource {
  const [, scope = id.split("/providers/").slice(1, -1).join("/providers/")] =
    /^\[extensionResourceId\('([^']+)'/.exec(id) ?? [];
  return {
    type,
    name: name.startsWith("[guid(") ? "[guid]" : name,
    ...(scope !== "" && { scope }),
    ...more,
  };
}

const WIDTH = 120;

/** JSON in which each value that fits into one line is on one line. */
function printed(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null || indent.length + line.length <= WIDTH) return line;
  const deeper = `${indent} `;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((one) => printed(one, deeper))]
    : ["{", "}", Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${printed(one, deeper)}`)];
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}

/** Evaluates the templates of an environment, with these members of it changed. Throws with the compiler's errors and warnings. */
export async function evaluate(environment: string, changed: string): Promise<Snapshot> {
  const copy = await mkdtemp(join(tmpdir(), "templates-"));
  try {
    await cp(join(root, "infra"), join(copy, "infra"), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    const file = join(copy, "infra/azure/environments.bicep");
    const [all, own] = [await readFile(file, "utf8"), `${environment}: { ...${environment}\n${changed} }`];
    await writeFile(file, all.replace(new RegExp(`(?<=^var environments .*)${environment}: ${environment}`, "m"), own));
    const evaluated = async (module: string): Promise<Resource[]> => {
      const file = join(copy, `infra/azure/${module}.bicepparam`);
      const place = ["--subscription-id", SUBSCRIPTION, "--resource-group", GROUP];
      const { code, stderr } = await bicep(["snapshot", file, ...place], variablesOf[environment]);
      if (code !== 0 || stderr !== "") throw new Error(`${module} of ${environment}: ${stderr}`);
      const text = await readFile(file.replace(/bicepparam$/, "snapshot.json"), "utf8");
      return (JSON.parse(text) as { predictedResources: Evaluated[] }).predictedResources.map(resourceOf);
    };
    const [foundation, main] = await Promise.all([evaluated("foundation"), evaluated("main")]);
    const files = await filesOfGateway();
    const short = (_: string, value: unknown) =>
      typeof value === "string" ? (files.get(value) ?? value.replaceAll(prefix, "")) : value;
    return JSON.parse(JSON.stringify({ foundation, main }, short)) as Snapshot;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The text of an environment's snapshot. */
export const takeSnapshot = async (environment: string): Promise<string> =>
  `${printed(await evaluate(environment, ""))}\n`;

/** The resources that a landing zone adds to the committed snapshot of `prod`, and those that it leaves out, with their values. */
export async function takeDifference(landingZone: string): Promise<string> {
  const [without, within] = await Promise.all([
    readSnapshot("prod"),
    evaluate("prod", landingZones[landingZone] ?? ""),
  ]);
  const lines = ({ foundation, main }: Snapshot) => [...foundation, ...main].map((one) => JSON.stringify(one));
  const minus = (some: string[], others: string[]) =>
    some.filter((line) => !others.includes(line)).map((line) => JSON.parse(line) as Resource);
  const [before, after] = [lines(without), lines(within)];
  return `${printed({ added: minus(after, before), leftOut: minus(before, after) })}\n`;
}

export const script = newScript(
  "npm run azure:snapshots --",
  "Writes what each environment would be given, for the diff.",
).action(async () => {
  for (const environment of environments) await writeFile(snapshotFile(environment), await takeSnapshot(environment));
  for (const landingZone of Object.keys(landingZones))
    await writeFile(snapshotFile(landingZone), await takeDifference(landingZone));
});

if (import.meta.main) await runScript(script);
