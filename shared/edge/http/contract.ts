import type { HttpMethod } from "@azure/functions";
import type * as z from "zod";
import type { ApiName, Auth } from "../auth/authenticate.ts";
import type { ProblemCode } from "../../contracts/objects/problem.ts";
import { unsupportedMoney } from "../../contracts/requests/unsupported-money.ts";
import type { UnreadBody } from "../../contracts/requests/unread-body.ts";
import type { FieldProblem } from "../../domain/refusal.ts";
import type { Scope } from "../../stores/partners.ts";

/** A successful response: its meaning and its body. */
export interface Success<Body = unknown> {
  readonly means: string;
  readonly body: z.ZodType<Body>;
}

/** A successful response that is a file of comma-separated values. */
export interface FileSuccess {
  readonly means: string;
  readonly csv: z.ZodType<string>;
}

export const success = <Body>(means: string, body: z.ZodType<Body>): Success<Body> => ({ means, body });
export const fileSuccess = (means: string, csv: z.ZodType<string>): FileSuccess => ({ means, csv });

/** The body of a request. The handler gets `Read`, and callers send `Sent`. */
export interface RequestBody<Read = unknown, Sent = unknown> {
  readonly schema: z.ZodType<Read>;
  /** The schema for the documents, if the reading schema cannot express the body. */
  readonly shown?: z.ZodType<unknown, Sent> | undefined;
  /** The body may be left out. It is then read as an object without members. */
  readonly isOptional?: boolean | undefined;
  /** Takes a body that would be rejected before the schema reads it. The handler then returns the refusal. */
  readonly unread?: ((body: UnreadBody) => Read) | undefined;
  /** Finds the members that are refused although the schema would ignore them. */
  readonly refused?: ((sent: unknown) => readonly FieldProblem[]) | undefined;
}

export const requestBody = <Read, Input, Sent = Input, Unread = never>(
  schema: z.ZodType<Read, Input>,
  shown?: z.ZodType<unknown, Sent>,
  unread?: (body: UnreadBody) => Unread,
): RequestBody<Read | Unread, Sent> => ({ schema, shown, unread });

/** A body that may be left out. */
export const optionalBody = <Read, Sent>(schema: z.ZodType<Read, Sent>): RequestBody<Read, Sent> => ({
  schema,
  isOptional: true,
});

/**
 * The body of an operation that moves money. A member that asks for money which the platform does not take is refused, except for `takes`.
 */
export const moneyBody = <Read, Input, Sent = Input>(
  schema: z.ZodType<Read, Input>,
  { takes, shown }: { readonly takes?: readonly string[]; readonly shown?: z.ZodType<unknown, Sent> } = {},
): RequestBody<Read, Sent> => ({ schema, shown, refused: (sent) => unsupportedMoney(sent, takes) });

/** The successful responses of an endpoint, by status. */
export interface Successes {
  readonly 200?: Success | FileSuccess;
  readonly 202?: Success;
  readonly 204?: { readonly means: string };
}

/** The parts of a request that an endpoint reads in addition to its body, credentials and identifiers in the path. */
export interface Parameters {
  /** The names in the path that are not identifiers. */
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly header?: z.ZodObject;
}

/** An endpoint's definition, without its handler. */
export interface Definition {
  readonly auth: Auth;
  /** Also the name of its file, its gateway policy and its operation. */
  readonly name: string;
  readonly method: HttpMethod;
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  /** Absent if the endpoint reads neither query nor headers. */
  readonly parameters?: Parameters;
  /** The problem if an identifier in the path is malformed. It is the same as for an unknown identifier. */
  readonly notFound?: ProblemCode;
  /** Absent if the endpoint takes no body. */
  readonly body?: RequestBody;
  readonly successes: Successes;
  /** A repeated request gets the same response, with `Idempotent-Replayed`. */
  readonly replays?: boolean;
  /** Every problem that the handler returns, except those of `ImpliedCode`. The documents list them in this order. */
  readonly problems?: readonly ProblemCode[];
  /** The endpoint waits for at most this many seconds, for an event or for a partner's server. It has no usual time-out. */
  readonly waitsSeconds?: number;
  /** The endpoint reads many rows for one call, so its calls have their own limit. */
  readonly readsList?: boolean;
  /** The endpoint changes nothing, so its work ends with its response. */
  readonly isRead?: boolean;
}

/**
 * An endpoint's contract. The OpenAPI documents are generated from it. Types check the handler's responses and the examples' bodies against
 * it. The black-box tests check every response against the documents.
 */
export interface Contract<Defined extends Definition = Definition> {
  readonly api: ApiName;
  readonly name: Defined["name"];
  readonly method: HttpMethod;
  readonly route: string;
  readonly summary: string;
  readonly description: string;
  /** The scopes of which a key needs one. Empty for callers without a partner's key. */
  readonly scopes: readonly Scope[];
  readonly basic: boolean;
  readonly parameters: Parameters;
  readonly body: Defined extends { readonly body: infer Body } ? Body : RequestBody | undefined;
  readonly successes: Defined["successes"];
  readonly replays: boolean;
  /** The most seconds that the endpoint waits. */
  readonly waitsSeconds: number | undefined;
  readonly readsList: boolean | undefined;
  readonly isRead: boolean | undefined;
  /** Every problem, including the implied ones. */
  readonly problems: readonly ProblemCode[];
}

/**
 * Whether an operation refuses names in its query that it does not know. All reads of partners and customers do, and every other operation
 * that has a query. A terminal's poll is not refused, because it is also the terminal's heartbeat. (API behaviour 2)
 */
export const checksQuery = ({
  auth,
  method,
  parameters,
}: Pick<Definition, "auth" | "method" | "parameters">): boolean =>
  auth.api !== "terminals" && (method === "GET" || parameters?.query !== undefined);

/** Problems that any request may get: from the gateway, on the way, or from the app. */
const always = [
  "invalid_credentials",
  "body_too_large",
  "rate_limited",
  "internal_error",
  "dependency_unavailable",
] as const;
const ofScope = ["forbidden"] as const;
const ofBody = ["invalid_json", "unsupported_media_type"] as const;
const ofFields = ["validation_failed"] as const;

/** The problems that follow from the parts of a request that an endpoint reads. Its definition need not name them. */
export type ImpliedCode<Defined extends Definition> =
  | (typeof always)[number]
  | (Defined extends { readonly body: RequestBody } ? (typeof ofBody)[number] : never)
  | (Defined extends { readonly body: RequestBody } | { readonly parameters: Parameters } | { readonly method: "GET" }
      ? (typeof ofFields)[number]
      : never)
  | (Defined extends { readonly notFound: infer Code } ? Code : never);

const readsFields = (definition: Definition): boolean =>
  definition.body !== undefined || definition.parameters !== undefined || checksQuery(definition);

/** Returns the contract of an endpoint's definition. */
export function contractOf(definition: Definition): Contract {
  const { auth, ...defined } = definition;
  const { name, method, route, summary, description, successes } = defined;
  const { parameters = {}, body, replays = false, waitsSeconds, readsList, isRead } = defined;
  const { problems = [], notFound } = defined;
  const { api, scopes = [], basic = false } = auth;
  const all = new Set([
    ...always,
    ...(scopes.length > 0 ? ofScope : []),
    ...(body ? ofBody : []),
    ...(readsFields(definition) ? ofFields : []),
    ...problems,
    ...(notFound ? [notFound] : []),
  ]);
  const words = { name, summary, description };
  const promised = {
    parameters,
    body,
    successes,
    replays,
    waitsSeconds,
    readsList,
    isRead,
    problems: [...all],
  };
  return { api, ...words, method, route, scopes, basic, ...promised };
}
