import type { HttpMethod } from "@azure/functions";
import type { z } from "zod";
import type { ProblemCode } from "../contracts/objects/problem.ts";
import type { Scope } from "../ports/partners.ts";

export type ApiName = "partners" | "consumer" | "terminals";

/** A success: what it means, and its body. */
export interface Success<Body = unknown> {
  readonly means: string;
  readonly body: z.ZodType<Body>;
}

export const success = <Body>(means: string, body: z.ZodType<Body>): Success<Body> => ({ means, body });

/** A body that an endpoint takes: `Read` is what its handler gets, `Sent` what callers send. */
export interface RequestBody<Read = unknown, Sent = unknown> {
  readonly schema: z.ZodType<Read>;
  /** The schema as the documents show it, where the one that reads does not say it. */
  readonly shown?: z.ZodType<unknown, Sent> | undefined;
}

export const requestBody = <Read, Input, Sent = Input>(
  schema: z.ZodType<Read, Input>,
  shown?: z.ZodType<unknown, Sent>,
): RequestBody<Read, Sent> => ({ schema, shown });

/** A body as its handler gets it. */
export type BodyRead<Taken> = Taken extends RequestBody<infer Read> ? Read : undefined;

/** The successes of an endpoint, by their status. */
export interface Successes {
  readonly 200?: Success;
  readonly 202?: Success;
  readonly 204?: { readonly means: string };
}

/** The query and the headers that an endpoint reads beside its path and its credentials. */
export interface Parameters {
  readonly query?: z.ZodObject;
  readonly header?: z.ZodObject;
}

/** Parameters as their handler gets them, by their names. */
export type ParametersRead<Asked extends Parameters> = (Asked extends { query: z.ZodType<infer Query> }
  ? Query
  : unknown) &
  (Asked extends { header: z.ZodType<infer Header> } ? Header : unknown);

/**
 * What an endpoint promises. The OpenAPI documents are written from it, types hold its handler to its successes and the examples to
 * its bodies, and the black-box tests hold every response to the documents.
 */
export interface Contract<
  Name extends string = string,
  Taken extends RequestBody | undefined = RequestBody | undefined,
  Promised extends Successes = Successes,
> {
  readonly api: ApiName;
  /** Also its file's, its policy's and its operation's. */
  readonly name: Name;
  readonly method: HttpMethod;
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  /** The scope that a partner's key must have. */
  readonly scope?: Scope | undefined;
  /** Asks for Basic credentials too. */
  readonly basic?: boolean | undefined;
  readonly parameters: Parameters;
  readonly body?: Taken | undefined;
  readonly successes: Promised;
  /** The same request again is answered as it was, with `Idempotent-Replayed`. */
  readonly replays: boolean;
  /** All of them, those included that follow from authentication and from reading a body. */
  readonly problems: readonly ProblemCode[];
}

/** What any request may meet: at the gateway, on the way, or here. */
const always: readonly ProblemCode[] = [
  "invalid_credentials",
  "rate_limited",
  "internal_error",
  "dependency_unavailable",
];
const ofBody: readonly ProblemCode[] = ["invalid_json", "length_required", "body_too_large", "unsupported_media_type"];

const ofScope: readonly ProblemCode[] = ["forbidden"];
const ofFields: readonly ProblemCode[] = ["validation_failed"];

/** An endpoint's own problems, and those that it has in common with all that authenticate, or read what was sent, as it does. */
export function allProblems(
  own: readonly ProblemCode[],
  { body, parameters, scope }: Pick<Contract, "body" | "parameters" | "scope">,
): readonly ProblemCode[] {
  const fields = body !== undefined || Object.keys(parameters).length > 0;
  return [
    ...new Set([...always, ...(scope ? ofScope : []), ...(body ? ofBody : []), ...(fields ? ofFields : []), ...own]),
  ];
}
