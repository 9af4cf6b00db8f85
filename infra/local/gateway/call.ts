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

/** One request on its way through the policies; what `context` is to an expression. */
export interface Call {
  readonly requestId: string;
  readonly request: {
    readonly method: string;
    /** As the caller asked, without the query. */
    readonly path: string;
    /** Without the question mark. */
    readonly query: string;
    readonly headers: Headers;
    readonly ipAddress: string;
    /** Takes the place of what the caller sent. */
    body: string | undefined;
  };
  readonly operation:
    | { readonly apiId: string; readonly id: string; readonly contentType: string | undefined }
    | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  subscriptionId: string | undefined;
  readonly variables: Map<string, Value>;
  /** Where the request goes on to. */
  readonly backend: { baseUrl: string | undefined; path: string; query: string };
  answer: Answer | undefined;
  lastError: { readonly source: string; readonly reason: string } | undefined;
  /** Headers that the answer gets in the end, whatever made it. */
  readonly cors: Map<string, string>;
}

export const emptyAnswer = (status: number, reason: string): Answer => ({
  status,
  reason,
  headers: new Map(),
  body: undefined,
});

/** A header's value as an expression sees it: several are joined with commas. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers.get(name.toLowerCase());
  return Array.isArray(value) ? value.join(",") : value;
}

/** What ends the policies' regular course and leads to `on-error`; names and reasons are API Management's own. */
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
