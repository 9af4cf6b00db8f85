/** What an expression yields. */
export type Value = string | number | boolean | null;

/**
 * The types of C# that expressions have here. `guid` is not a string in C#: where a string is needed, the policy must call `ToString()`.
 * `object` is a variable that is read by its name alone: only its text can be used.
 */
export type Type = "string" | "int" | "bool" | "guid" | "object" | "null";

/** What `set-variable` stored: C# boxes a value with its type. Null has no type. */
export interface Variable {
  readonly type: Type;
  readonly value: Value;
}

/** Header names in lower case. Several values are an array where they must not be joined. */
export type Headers = Map<string, string | string[]>;

/** API Management sends several values of these headers as headers of their own, because their values may contain commas. */
const neverJoined = new Set([
  "cookie",
  "date",
  "expires",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "proxy-authenticate",
  "retry-after",
  "set-cookie",
  "user-agent",
  "warning",
  "www-authenticate",
]);

/** A header's values as API Management keeps them: joined by a comma, but for the headers that are never joined. */
export function headerOf(name: string, values: readonly string[]): string | string[] {
  return values.length > 1 && neverJoined.has(name) ? [...values] : values.join(",");
}

export interface Answer {
  status: number;
  reason: string;
  readonly headers: Headers;
  body: string | Uint8Array | undefined;
}

/** One request that passes through the policies: `context` for an expression. */
export interface Call {
  readonly requestId: string;
  readonly request: {
    readonly method: string;
    /** As the caller sent it, without the query. */
    readonly path: string;
    /** Without the question mark. */
    readonly query: string;
    readonly headers: Headers;
    readonly ipAddress: string;
    /** Replaces the body that the caller sent. */
    body: string | undefined;
    /** Whether the caller announced a body, by a length or in chunks. */
    readonly hasBody: boolean;
    /** The body that was read; undefined before. */
    readonly content: () => Uint8Array | undefined;
    /** Reads the body, once. Undefined if it is longer than any operation takes. Throws `PolicyFailure` if the caller is gone. */
    readonly read: () => Promise<Uint8Array | undefined>;
  };
  readonly operation:
    | { readonly apiId: string; readonly id: string; readonly contentType: string | undefined }
    | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  subscriptionId: string | undefined;
  readonly variables: Map<string, Variable>;
  /** The target of the request. */
  readonly backend: { baseUrl: string | undefined; path: string; query: string };
  answer: Answer | undefined;
  lastError: { readonly source: string; readonly reason: string } | undefined;
  /** Headers that the final response gets, whatever produced it. */
  readonly cors: Map<string, string>;
}

/** Whether a response can be written with it: Node refuses any other. */
export const isReason = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

export const emptyAnswer = (status: number, reason: string): Answer => ({
  status,
  reason,
  headers: new Map(),
  body: undefined,
});

/** A header's value for an expression: several values are joined by commas. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers.get(name.toLowerCase());
  return Array.isArray(value) ? value.join(",") : value;
}

/** The failure that ends the regular course of the policies and starts `on-error`. The sources and reasons are API Management's own. */
export class PolicyFailure extends Error {
  readonly source: string;
  readonly reason: string;
  readonly answer: Answer;

  constructor(source: string, reason: string, status: number, message: string) {
    super(message);
    this.name = "PolicyFailure";
    this.source = source;
    this.reason = reason;
    this.answer = { ...emptyAnswer(status, ""), body: JSON.stringify({ statusCode: status, message }) };
    this.answer.headers.set("content-type", "application/json");
  }
}

/** What .NET throws in an expression of a policy. */
export function evaluationFailure(policy: string, activityId: string): PolicyFailure {
  const message = "Internal server error";
  const failure = new PolicyFailure(policy, "ExpressionValueEvaluationFailure", 500, message);
  failure.answer.body = JSON.stringify({ statusCode: 500, message, activityId });
  return failure;
}
