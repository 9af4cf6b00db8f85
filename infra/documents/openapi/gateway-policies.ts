import { endpoints } from "../../../functions/endpoints.ts";
import { workers } from "../../../functions/workers.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { importedApis, urlTemplateIn } from "./imported-apis.ts";

/** Seconds that the function may take in addition to its wait. They include a cold start. */
const BEYOND_A_POLL_S = 20;

/** The gateway's policy of each endpoint, by the name of the endpoint. */
export const endpointPolicies = (): ReadonlyMap<string, string> =>
  new Map(
    importedApis.flatMap((api) =>
      api.contracts.map((contract) => [contract.name, policyOf(contract, urlTemplateIn(api, contract))] as const),
    ),
  );

/** The policy that an endpoint's contract requires: its body check, its own limit, its timeout and its function's path. */
function policyOf(contract: Contract, urlTemplate: string): string {
  const { summary, route, waitsSeconds, readsList } = contract;
  const isCut = urlTemplate !== `/${route}`; // the gateway has removed the API's own path
  const inbound = [
    "<base />",
    ...(isCut ? [`<rewrite-uri template="/${route}" />`] : []),
    ...bodyCheck(contract),
    ...(readsList ? [included("limit-lists")] : []),
  ];
  const backend =
    waitsSeconds === undefined ? "<base />" : `<forward-request timeout="${waitsSeconds + BEYOND_A_POLL_S}" />`;
  return `<!-- ${summary}. Written by npm run openapi from the contract of the endpoint. -->
<policies>
  <inbound>
${inbound.map((line) => `    ${line}`).join("\n")}
  </inbound>
  <backend>
    ${backend}
  </backend>
  <outbound>
    <base />
  </outbound>
  <on-error>
    <base />
  </on-error>
</policies>
`;
}

const included = (fragment: string): string => `<include-fragment fragment-id="${fragment}" />`;

/** The check of the body. A body that may be left out is checked if there is one. */
function bodyCheck(contract: Contract): readonly string[] {
  const check = included(bodyFragment(contract));
  if (!contract.body?.isOptional) return [check];
  return ["<choose>", `  <when condition='@(${HAS_BODY})'>`, `    ${check}`, "  </when>", "</choose>"];
}
const HAS_BODY =
  'context.Request.Headers.GetValueOrDefault("Content-Length", "") != "0" &amp;&amp; context.Request.Body != null';

function bodyFragment({ body }: Contract): string {
  if (!body) return "no-body";
  return body.unread ? "reported-body" : "json-body";
}

interface Host {
  readonly logging: { readonly logLevel: Readonly<Record<string, string>> };
}

/** Returns the text of host.json with a log level for each function. Without a level the host drops the function's lines. */
export function withLogLevels(text: string): string {
  const host = JSON.parse(text) as Host;
  const others = Object.entries(host.logging.logLevel).filter(([category]) => !category.startsWith("Function."));
  const names = [...endpoints.map(({ contract }) => contract.name), ...workers.map(({ name }) => name)];
  const ofFunctions = names.map((name) => [`Function.${name}.User`, "Information"]);
  const logLevel = Object.fromEntries([...others, ...ofFunctions]) as Record<string, string>;
  return `${JSON.stringify({ ...host, logging: { ...host.logging, logLevel } }, null, 2)}\n`;
}
