import type { endpoints } from "../../../functions/endpoints.ts";
import { endpointExamples } from "./samples/endpoint-examples.ts";
import type { Contract, RequestBody, Success } from "../../../shared/edge/http/contract.ts";

// The compiler checks the table of examples against the endpoints here, because both may be imported here.

type Contracts = (typeof endpoints)[number]["contract"];

/** One example for each body of a contract: the request's, and each success's by its status. */
type ExamplesOf<Each extends Contract> = (Each["body"] extends RequestBody<unknown, infer Sent>
  ? { readonly body: Sent }
  : {}) & {
  readonly [
    Status in keyof Each["successes"] as Each["successes"][Status] extends Success ? Status : never
  ]: Each["successes"][Status] extends Success<infer Body> ? Body : never;
};

/** Each body has an example of its type. */
const complete: { readonly [Each in Contracts as Each["name"]]: ExamplesOf<Each> } = endpointExamples;

/** The keys of a table of examples. */
type Entries<Table> = { readonly [Name in keyof Table]: Record<keyof Table[Name], unknown> };

/** The examples of every endpoint, by its name. Each example belongs to an endpoint. */
export const examples: Readonly<Record<string, { readonly body?: unknown; readonly [status: string]: unknown }>> =
  complete satisfies Entries<typeof endpointExamples>;
