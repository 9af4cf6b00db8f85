import { secretVariables, type Environment } from "./environments.ts";
import type { SampleRequest } from "./samples.ts";

// The two formats, as their tools document them: `.http` of JetBrains, Visual Studio and httpYac, and Bruno's `.bru`.

/** The requests as a `.http` file. */
export const httpFile = (requests: readonly SampleRequest[]): string =>
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

/** The request as a file of a Bruno collection. `position` is its place in its folder, from 1. */
export const bruFile = ({ name, method, url, headers, body }: SampleRequest, position: number): string =>
  [
    block("meta", [`name: ${name}`, "type: http", `seq: ${position}`]),
    block(method.toLowerCase(), [`url: ${url}`, `body: ${body === undefined ? "none" : "json"}`, "auth: none"]),
    block(
      "headers",
      headers.map(([header, value]) => `${header}: ${value}`),
    ),
    ...(body === undefined ? [] : [block("body:json", body.split("\n"))]),
  ].join("\n");

/** An environment of a Bruno collection. Keys without a value are secrets, which Bruno keeps out of the file. */
export function bruEnvironment(environment: Environment): string {
  const isBlankSecret = ([name, value]: readonly [string, string]) => value === "" && secretVariables.has(name);
  const entries = Object.entries(environment);
  const secrets = entries.filter(isBlankSecret).map(([name]) => name);
  const vars = entries.filter((entry) => !isBlankSecret(entry)).map(([name, value]) => `${name}: ${value}`.trimEnd());
  const list = secrets.length === 0 ? "" : `vars:secret [\n${secrets.map((name) => `  ${name}`).join(",\n")}\n]\n`;
  return `${block("vars", vars)}${list}`;
}

const block = (name: string, lines: readonly string[]): string =>
  `${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}\n`;
