import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

type Sections = Partial<Record<"inbound" | "backend" | "outbound" | "on-error", string>>;

/** A policy file, with `<base />` in the sections that are not given. */
export const policies = (sections: Sections = {}): string =>
  ["<policies>", ...sectionNames.map((name) => section(name, sections[name] ?? "<base />")), "</policies>"].join("\n");

/** The policies of the outermost scope, which has no base. */
export const globalPolicies = (sections: Sections = {}): string =>
  policies({
    inbound: '<set-backend-service base-url="{{functions-url}}" />',
    backend: '<forward-request timeout="20" />',
    outbound: "",
    "on-error": "",
    ...sections,
  });

const sectionNames = ["inbound", "backend", "outbound", "on-error"] as const;
const section = (name: string, content: string) => `<${name}>\n${content}\n</${name}>`;

/** One API with two operations, for policies that a test writes itself. */
const declaration = {
  apis: [{ id: "shop", path: "shop", subscriptionRequired: true, product: "starter" }],
  namedValues: [],
};
/** The imported document, reduced to the parts that matter. */
const imported = {
  openapi: "3.0.3",
  paths: { "/things/{thing}": { get: { operationId: "read" } }, "/things/newest": { get: { operationId: "newest" } } },
};

/**
 * Writes a folder of policies that do nothing, except for the files given, and without the files of `without`. The folder is removed after
 * the test.
 */
export async function policyFolder(
  files: Readonly<Record<string, string>> = {},
  without: readonly string[] = [],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-policies-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const all = {
    "apis.json": JSON.stringify(declaration),
    "openapi/shop.json": JSON.stringify(imported),
    "named-values.local.json": "{}",
    "global.xml": globalPolicies(),
    "products/starter.xml": policies(),
    "apis/shop.xml": policies(),
    "policies/read.xml": policies(),
    "policies/newest.xml": policies(),
    ...files,
  };
  await mkdir(join(folder, "fragments"));
  for (const [file, content] of Object.entries(all)) {
    if (without.includes(file)) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  }
  return folder;
}
