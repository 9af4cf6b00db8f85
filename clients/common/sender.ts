import { isProblem, UnexpectedResponse, type ProblemBody } from "./failures.ts";
import { isFile, jsonIn, retryAfterSeconds } from "./retries.ts";

/** How an operation is called. The request fills in the names in braces. */
export interface Operation {
  readonly method: string;
  readonly path: string;
}

/** The parts of an operation's request. */
interface Parts {
  readonly body?: unknown;
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly headers?: object | undefined;
}

/** An operation's types: its request, and the body of each success by its status. */
interface Typed {
  readonly request: object;
  readonly response: object;
}

/** The parts of a request, typed. */
type RequestOf<Operation extends Typed> = Omit<Operation["request"], "url">;
/** The body of a success. */
type DataOf<Operation extends Typed> = Operation["response"][keyof Operation["response"]];

/**
 * A response. `data` is the body of a success. `problem` is the platform's reason for rejecting the request. A response that is not the
 * platform's has neither.
 */
export interface RawResponse<Data, Problem> {
  readonly response: Response;
  readonly data?: Data;
  readonly problem?: Problem;
}

export interface CallOptions {
  /** Ends the call and its retries. The outcome of a request that changes something is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls an operation by its name. */
export type Raw<Operations extends { readonly [Name in keyof Operations]: Typed }, Problem> = <
  Name extends keyof Operations,
>(
  operation: Name,
  request: RequestOf<Operations[Name]>,
  options?: CallOptions,
) => Promise<RawResponse<DataOf<Operations[Name]>, Problem>>;

/** The address of all requests, their common headers, and the function that sends them. */
export interface Connection {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Calls operations by their table. A body is sent as JSON. Undefined query values and headers are left out. */
export const rawSender =
  <Operations extends { readonly [Name in keyof Operations]: Typed }, Problem extends ProblemBody>(
    operations: Readonly<Record<keyof Operations, Operation>>,
    { baseUrl, headers: always, fetch }: Connection,
  ): Raw<Operations, Problem> =>
  async (operation, request, { signal } = {}) => {
    const { method, path } = operations[operation];
    const { body, path: names, query, headers }: Parts = request;
    const url = `${baseUrl}${filled(path, valuesOf(names))}${queryOf(valuesOf(query))}`;
    const response = await fetch(
      new Request(url, {
        method,
        headers: { ...always, ...valuesOf(headers), ...(body !== undefined && { "content-type": "application/json" }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    );
    return readResponse(response);
  };

/** Reads a body as JSON, whatever type a proxy may have given it. Only a file is read as text. */
async function readResponse<Data, Problem>(response: Response): Promise<RawResponse<Data, Problem>> {
  const text = await response.text();
  const body = isFile(response) ? text : jsonIn(text);
  if (response.ok) return { response, data: body as Data };
  return isProblem(body) ? { response, problem: body as Problem } : { response };
}

/** The defined values, as texts. */
const valuesOf = (values: object = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

const filled = (path: string, names: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ""));

const queryOf = (query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
};

/**
 * Resolves with a response's data. For a problem, rejects with the API's own error. For any other failure, rejects with
 * `UnexpectedResponse`.
 *
 * @param now milliseconds since 1970
 */
export const dataOrThrow =
  <Problem extends ProblemBody>(
    PlatformProblem: new (problem: Problem, retryAfterSeconds?: number) => Error,
    now: () => number,
  ) =>
  async <Data>(calling: Promise<RawResponse<Data, Problem>>): Promise<Data> => {
    const { data, problem, response } = await calling;
    if (data !== undefined) return data;
    if (problem) throw new PlatformProblem(problem, retryAfterSeconds(response.headers, now()));
    throw new UnexpectedResponse(response.status);
  };
