import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { apis } from "../openapi/apis.ts";
import { sampleRequests, variablesOf, type SampleRequest } from "./samples.ts";

/** Values by the names of their variables. */
export type Environment = Readonly<Record<string, string>>;

/** The texts of the files, by their names in `docs/requests`. `values` has a value for each variable on a local stack. */
export function requestFiles(values: Environment): Readonly<Record<string, string>> {
  const all = (Object.keys(apis) as ApiName[]).map((api) => [api, sampleRequests(api)] as const);
  const used = new Set(variablesOf(all.flatMap(([, requests]) => requests)));
  const local = Object.fromEntries(Object.entries(values).filter(([name]) => used.has(name)));
  const environments = { local, other: blankEnvironment(local) };
  return {
    "http-client.env.json": `${JSON.stringify(environments, null, 2)}\n`,
    ...Object.fromEntries(all.map(([api, requests]) => [`${api}.http`, httpFile(requests)])),
  };
}

/**
 * Empty values, which the user of another platform fills in. The identifiers are empty too, because real payments must not use those of the
 * documentation.
 */
const blankEnvironment = (local: Environment): Environment =>
  Object.fromEntries(Object.keys(local).map((name) => [name, ""]));

/** The requests in the format of JetBrains, Visual Studio and httpYac. */
const httpFile = (requests: readonly SampleRequest[]): string =>
  requests
    .map(({ name, method, url, headers, body }) =>
      [
        `### ${name}`,
        `${method} ${url}`,
        ...headers.map(([header, value]) => `${header}: ${value}`),
        ...(body === undefined ? [] : ["", body]),
        "",
      ].join("\n"),
    )
    .join("\n");
