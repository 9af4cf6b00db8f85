import type { HttpMethod } from "@azure/functions";
import type { z } from "zod";
import type { ProblemCode } from "../contracts/objects/problem.ts";
import type { Scope } from "../ports/partners.ts";

export type ApiName = "partners" | "consumer" | "terminals";

/** A success: what it means, its body, and one as an example. */
export interface Success<Body = unknown> {
  readonly means: string;
  readonly body: z.ZodType<Body>;
  readonly example: NoInfer<Body>;
}

export const success = <Body>(means: string, body: z.ZodType<Body>, example: NoInfer<Body>): Success<Body> => ({
  means,
  body,
  example,
});

/** A body that an endpoint takes, and one as an example. */
export interface RequestBody<Body = unknown> {
  readonly schema: z.ZodType<Body>;
  readonly example: unknown;
  /** The schema as the documents show it, where the one that reads does not say it. */
  readonly shown?: z.ZodType | undefined;
}

export const takes = <Body, Input>(
  schema: z.ZodType<Body, Input>,
  example: NoInfer<Input>,
  shown?: z.ZodType,
): RequestBody<Body> => ({ schema, example, shown });

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
 * What an endpoint promises. The OpenAPI documents are written from it, types hold its handler to its successes, and the
 * black-box tests hold every response to the documents.
 */
export interface Contract {
  readonly api: ApiName;
  /** Also its file's, its policy's and its operation's. */
  readonly name: string;
  readonly method: HttpMethod;
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  /** The scope that a partner's key must have. */
  readonly scope?: Scope | undefined;
  /** Asks for Basic credentials too. */
  readonly basic?: boolean | undefined;
  readonly parameters: Parameters;
  readonly body?: RequestBody | undefined;
  readonly successes: Successes;
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
