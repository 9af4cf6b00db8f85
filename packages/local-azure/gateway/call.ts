/** The value of an expression. */
export type Value = string | number | boolean | null;

/**
 * The C# types that expressions can have here. `guid` is not a string in C#, so a policy that needs a string must call `ToString()`.
 * `object` is a variable that is read only by its name. Only its text can be used.
 */
export type Type = "string" | "int" | "bool" | "guid" | "object" | "null";

/** A value that `set-variable` stored, with its type, because C# boxes values. Null has no type. */
export interface Variable {
  readonly type: Type;
  readonly value: Value;
}

/** The headers by name in lower case. Several values are an array if they must not be joined. */
export type Headers = Map<string, string | string[]>;

/** API Management sends several values of these headers as separate headers, because the values may contain commas. */
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

/** A header's values as API Management keeps them: joined by a comma, except for the headers that are never joined. */
export function headerOf(name: string, values: readonly string[]): string | string[] {
  return values.length > 1 && neverJoined.has(name) ? [...values] : values.join(",");
}

export interface Answer {
  status: number;
  reason: string;
  readonly headers: Headers;
  body: string | Uint8Array | undefined;
}

/** A request on its way through the policies. Expressions see it as `context`. */
export interface Call {
  readonly requestId: string;
  readonly request: {
    readonly method: string;
    /** The path as the caller sent it, without the query. */
    readonly path: string;
    /** Without the question mark. */
    readonly query: string;
    readonly headers: Headers;
    readonly ipAddress: string;
    /** Replaces the body that the caller sent. */
    body: string | undefined;
    /** Whether the caller announced a body, by a length or in chunks. */
    readonly hasBody: boolean;
    /** The body, if it was read already. Otherwise undefined. */
    readonly content: () => Uint8Array | undefined;
    /** Reads the body, once. Undefined if it is longer than any operation accepts. Throws `PolicyFailure` if the caller is gone. */
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
  /** Runs after outbound, and not after a failure. */
  readonly atEnd: (() => void)[];
  /** Headers that are added to the final response, from any source. */
  readonly cors: Map<string, string>;
}

/** Whether Node accepts the text as a response's reason. */
export const isReason = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

export const emptyAnswer = (status: number, reason: string): Answer => ({
  status,
  reason,
  headers: new Map(),
  body: undefined,
});

/** A header's value for an expression. Several values are joined by commas. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers.get(name.toLowerCase());
  return Array.isArray(value) ? value.join(",") : value;
}

/** A failure that stops the other sections and starts `on-error`. The sources and reasons are API Management's. */
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

/** The failure if .NET throws in an expression of a policy. */
export function evaluationFailure(policy: string, activityId: string): PolicyFailure {
  const message = "Internal server error";
  const failure = new PolicyFailure(policy, "ExpressionValueEvaluationFailure", 500, message);
  failure.answer.body = JSON.stringify({ statusCode: 500, message, activityId });
  return failure;
}
