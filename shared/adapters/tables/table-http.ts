import { RestError, type TableServiceClientOptions } from "@azure/data-tables";
import { Agent, type Dispatcher } from "undici";

/** The interface through which the SDK's pipelines reach the network. */
export type HttpClient = NonNullable<TableServiceClientOptions["httpClient"]>;
export type HttpRequest = Parameters<HttpClient["sendRequest"]>[0];
type HttpResponse = Awaited<ReturnType<HttpClient["sendRequest"]>>;
type Headers = HttpRequest["headers"];

/** The most bytes of a response. A page of a thousand rows has at most 4 MiB. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Sends a pipeline's requests over connections that stay open. There are as many connections as concurrent requests. Bodies of requests and
 * responses are texts. If a request's signal aborts, the request ends at once: it is not sent any more, or its connection is closed.
 *
 * If a request was sent and aborts before its response begins, its connection may be lost without a FIN, and the idle ones with it. Later
 * requests then get new connections. Requests that are under way keep theirs.
 */
export function tableHttp({ connectTimeoutMs = 2_500, maxResponseBytes = MAX_RESPONSE_BYTES } = {}): HttpClient {
  const newAgent = () =>
    new Agent({
      connect: { timeout: connectTimeoutMs },
      keepAliveTimeout: 60_000,
      maxResponseSize: maxResponseBytes,
      pipelining: 1,
    });
  let agent = newAgent();
  const replace = (unanswered: Agent) => {
    if (unanswered !== agent) return; // another request has replaced it
    agent = newAgent();
    void unanswered.close(); // closes idle connections now, and the others when their requests end
  };
  return { sendRequest: (request) => exchange(agent, request, replace) };
}

function exchange(agent: Agent, request: HttpRequest, replace: (unanswered: Agent) => void): Promise<HttpResponse> {
  const options = toOptions(request);
  return new Promise((resolve, reject) => {
    const signal = request.abortSignal as AbortSignal | undefined; // a native signal, as in all requests for rows
    let controller: Dispatcher.DispatchController | undefined;
    let head: { readonly status: number; readonly headers: Headers } | undefined;
    const chunks: Buffer[] = [];

    const aborted = () => {
      const reason = signal?.reason as Error;
      reject(reason);
      if (controller && !head) replace(agent);
      controller?.abort(reason);
    };
    const over = () => signal?.removeEventListener("abort", aborted);
    if (signal?.aborted) return aborted();
    signal?.addEventListener("abort", aborted, { once: true });

    agent.dispatch(options, {
      // The request may have waited for its connection until now.
      onRequestStart: (started) => {
        controller = started;
        if (signal?.aborted) started.abort(signal.reason as Error);
      },
      onResponseStart: (_, status, headers) => void (head = { status, headers: headersOf(headers) }),
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd: () => {
        over();
        if (!head) return reject(new RestError("a response ended before it began", { request }));
        resolve({ request, ...head, bodyAsText: textOf(chunks) });
      },
      onResponseError: (_, error) => {
        over();
        reject(toRestError(error, request, head !== undefined));
      },
    });
  });
}

function toOptions({ url, method, headers, body, allowInsecureConnection }: HttpRequest): Dispatcher.DispatchOptions {
  if (url.startsWith("http:") && !allowInsecureConnection) throw new TypeError(`${url} is not encrypted`);
  if (body !== undefined && typeof body !== "string")
    throw new TypeError("a request to tables can only have a text as its body");
  const at = url.indexOf("/", url.indexOf("//") + 2);
  return {
    origin: url.slice(0, at),
    path: url.slice(at),
    method,
    headers: headers.toJSON(),
    body: body ?? null,
  };
}

const textOf = ([first, ...more]: readonly Buffer[]): string =>
  first ? (more.length === 0 ? first : Buffer.concat([first, ...more])).toString() : "";

/** Maps undici's error codes to those that the SDK's retries know. Both errors occur before a response, so a retry is correct. */
const CODES: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: "ECONNRESET",
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
};

/**
 * A response that broke off is not retried, because the call may be a write that succeeded. The SDK's own client does not retry it either.
 */
function toRestError(error: Error, request: HttpRequest, hasBegun: boolean): RestError {
  const { code } = error as { readonly code?: unknown };
  const known = typeof code === "string" ? (CODES[code] ?? code) : RestError.REQUEST_SEND_ERROR;
  return new RestError(error.message, { code: hasBegun ? RestError.PARSE_ERROR : known, request });
}

/** Headers as pipelines read and write them. If a header occurs more than once, the first value counts. */
export function headersOf(given: Readonly<Record<string, string | readonly string[] | undefined>>): Headers {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const one = typeof value === "object" ? value[0] : value;
    if (one !== undefined) values.set(name, one);
  }
  return {
    get: (name) => values.get(name.toLowerCase()),
    has: (name) => values.has(name.toLowerCase()),
    set: (name, value) => void values.set(name.toLowerCase(), String(value)),
    delete: (name) => void values.delete(name.toLowerCase()),
    toJSON: () => Object.fromEntries(values),
    [Symbol.iterator]: () => values.entries(),
  };
}
