/** What an expression yields. */
export type Value = string | number | boolean | null;

/** Header names in lower case. Only `set-cookie` may have several values that must not be joined. */
export type Headers = Map<string, string | string[]>;

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
  };
  readonly operation:
    | { readonly apiId: string; readonly id: string; readonly contentType: string | undefined }
    | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  subscriptionId: string | undefined;
  readonly variables: Map<string, Value>;
  /** The target of the request. */
  readonly backend: { baseUrl: string | undefined; path: string; query: string };
  answer: Answer | undefined;
  lastError: { readonly source: string; readonly reason: string } | undefined;
  /** Headers that the final response gets, whatever produced it. */
  readonly cors: Map<string, string>;
}

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
