import type { endpoints } from "../../../functions/endpoints.ts";
import { endpointExamples } from "./samples/endpoint-examples.ts";
import type { Contract, RequestBody, Success } from "../../../shared/http/contract.ts";

// The compiler checks the table of examples against the endpoints here, where both may be imported.

type Contracts = (typeof endpoints)[number]["contract"];

/** One example of each body that a contract names: of the request, and of each success by its status. */
type ExamplesOf<Each extends Contract> = (Each["body"] extends RequestBody<unknown, infer Sent>
  ? { readonly body: Sent }
  : {}) & {
  readonly [
    Status in keyof Each["successes"] as Each["successes"][Status] extends Success ? Status : never
  ]: Each["successes"][Status] extends Success<infer Body> ? Body : never;
};

/** No example is missing, and each has its body's type. */
const complete: { readonly [Each in Contracts as Each["name"]]: ExamplesOf<Each> } = endpointExamples;

/** The keys of a table of examples. */
type Entries<Table> = { readonly [Name in keyof Table]: Record<keyof Table[Name], unknown> };

/** Every endpoint's examples, by its name. There is no example without an endpoint. */
export const examples: Readonly<Record<string, { readonly body?: unknown; readonly [status: string]: unknown }>> =
  complete satisfies Entries<typeof endpointExamples>;
