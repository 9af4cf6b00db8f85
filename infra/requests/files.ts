import type { ApiName } from "../../shared/auth/authenticate.ts";
import { apis } from "../openapi/apis.ts";
import { blankEnvironment, localEnvironment, type Environment } from "./environments.ts";
import { bruEnvironment, bruFile, httpFile } from "./formats.ts";
import { sampleRequests, variablesOf } from "./samples.ts";

/** The texts of the files, by their paths in `docs/requests`. */
export async function requestFiles(): Promise<Readonly<Record<string, string>>> {
  const all = (Object.keys(apis) as ApiName[]).map((api) => [api, sampleRequests(api)] as const);
  const used = new Set(variablesOf(all.flatMap(([, requests]) => requests)));
  const local = Object.fromEntries(Object.entries(await localEnvironment()).filter(([name]) => used.has(name)));
  const environments: Readonly<Record<string, Environment>> = { local, other: blankEnvironment(local) };
  const bruno = { version: "1", name: "Terminal payments", type: "collection" };
  return Object.fromEntries([
    ["http-client.env.json", asJson(environments)],
    ["bruno/bruno.json", asJson(bruno)],
    ...Object.entries(environments).map(([name, one]) => [`bruno/environments/${name}.bru`, bruEnvironment(one)]),
    ...all.flatMap(([api, requests]) => [
      [`${api}.http`, httpFile(requests)],
      ...requests.map((request, i) => [`bruno/${api}/${request.name}.bru`, bruFile(request, i + 1)]),
    ]),
  ]) as Record<string, string>;
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
