import { readFile, writeFile } from "node:fs/promises";
import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { apis } from "./apis.ts";
import { newScript, runScript } from "../../tools/script.ts";
import { asFile, importedDocument, openApiDocument } from "./document.ts";
import { endpointPolicies, withLogLevels } from "./gateway-policies.ts";
import { importedApis } from "./imported-apis.ts";
import { knownMethods } from "./known-methods.ts";

// `npm run openapi` writes all files that are generated from the endpoints' contracts. Tests keep them current.

const root = new URL("../../../", import.meta.url);

async function write(): Promise<void> {
  for (const imported of importedApis)
    await writeFile(new URL(`infra/azure/apim/openapi/${imported.id}.json`, root), asFile(importedDocument(imported)));
  await writeFile(new URL("infra/azure/apim/fragments/known-methods.xml", root), knownMethods());
  for (const [name, policy] of endpointPolicies())
    await writeFile(new URL(`infra/azure/apim/policies/${name}.xml`, root), policy);
  const host = new URL("host.json", root);
  await writeFile(host, withLogLevels(await readFile(host, "utf8")));
  for (const name of Object.keys(apis) as ApiName[]) {
    await writeFile(new URL(`docs/openapi/${name}.json`, root), asFile(openApiDocument(name, "3.1.1")));
  }
}

export const script = newScript(
  "npm run openapi --",
  "Writes the OpenAPI documents, the gateway's policies and host.json's levels from the endpoints' contracts.",
).action(write);

if (import.meta.main) await runScript(script);
