import type { IncomingMessage, ServerResponse } from "node:http";
import { endAnswer, endEmpty, readWithin } from "../common/bounded-server.ts";
import type { RegisteredFunction } from "./functions-core.ts";
import { writeResponse } from "./http-response.ts";
import type { Invoke } from "./invocation.ts";
import { opens, type AuthLevel, type HostKeys } from "./keys.ts";
import { describe, type Log } from "./log.ts";
import { headerText, headFault, urlOf } from "./request-head.ts";
import { routeTable, type FindRoute, type RouteParams } from "./routes.ts";
import { spanOf } from "./trace-context.ts";
import type { HttpData, TypedData } from "./worker-protocol.ts";

/** A function that HTTP requests trigger. */
export interface HttpFunction {
  readonly registered: RegisteredFunction;
  readonly bindingName: string;
  readonly route: string;
  readonly methods: readonly string[];
  readonly authLevel: AuthLevel;
}

type Found = NonNullable<ReturnType<FindRoute<HttpFunction>>>;

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Responds to requests with the functions whose routes they match. Throws if the routes cannot be served. There are no streams: like the
 * real host without that capability, it holds each body in memory.
 */
export function httpTrigger(options: {
  readonly functions: readonly HttpFunction[];
  readonly routePrefix: string;
  /** Whether the host answers `GET /` itself with a page. */
  readonly hasHomepage: boolean;
  readonly keys: HostKeys;
  /** In bytes. If a body is longer, the call of any function fails before the function runs. */
  readonly maxBodyBytes: number;
  readonly invoke: Invoke;
  readonly log: Log;
}): AnswerRequest {
  const { functions, hasHomepage, keys, maxBodyBytes, invoke, log } = options;
  const findRoute = routeTable(
    options.routePrefix,
    functions.map((target) => ({
      name: target.registered.name,
      template: target.route,
      methods: target.methods,
      target,
    })),
  );
  /** Resolves with the response that the function returned, if any. */
  const call = async ({ registered, bindingName }: HttpFunction, http: HttpData, { headers }: IncomingMessage) => {
    const traceContext = spanOf(headers.traceparent, String(headers["tracestate"] ?? ""));
    const inputData = [{ name: bindingName, data: { http } }];
    const { returnValue } = await invoke(registered, { inputData, traceContext });
    return returnValue?.http;
  };
  const answerFrom = async (found: Found, url: URL, [request, response]: Parameters<AnswerRequest>): Promise<void> => {
    const { registered, authLevel } = found.target;
    const functionName = registered.name;
    const end = (status: number) => endEmpty(request, response, status);
    if (!opens(keys, { functionName, level: authLevel, key: shownKey(request, url) })) return end(401);
    try {
      const body = await bodyOf(request, maxBodyBytes);
      const http = { ...headOf(request, url, found.params), body };
      const returned = await call(found.target, http, request);
      if (returned) writeResponse(request, response, returned);
      else end(204);
    } catch (error) {
      if (hungUpWhileSending(request)) return; // the caller is gone
      log({ level: "error", category: "system", functionName, message: `the function failed: ${describe(error)}` });
      end(500); // empty, because only the operator may read the error
    }
  };
  return async (request, response) => {
    const fault = headFault(request);
    const url = urlOf(request);
    if (fault || !url) return endEmpty(request, response, fault ?? 400);
    const found = findRoute(request.method ?? "", url.pathname);
    if (found) return answerFrom(found, url, [request, response]);
    if (url.pathname === "/") return homepage(request, response, hasHomepage);
    endEmpty(request, response, 404); // a wrong method is 404, not 405, because the method is part of a route
  };
}

const hungUpWhileSending = (request: IncomingMessage): boolean => !request.complete && request.destroyed;

/** Sends the host's own page at the root. Used if no function has that route. */
function homepage(request: IncomingMessage, response: ServerResponse, isOn: boolean): void {
  if (!isOn) return endEmpty(request, response, 204);
  response.setHeader("content-type", "text/html");
  endAnswer(request, response, "<!doctype html><title>A function app is running</title>");
}

/** The key of the call. The header has precedence, even if it is empty or wrong. */
const shownKey = (request: IncomingMessage, url: URL): string | undefined =>
  request.headersDistinct["x-functions-key"]?.[0] ?? queryOf(url).find(([name]) => /^code$/i.test(name))?.[1][0];

function headOf(request: IncomingMessage, url: URL, params: RouteParams): Omit<HttpData, "body"> {
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values = []]) => [name, values.map(headerText)] as const,
  );
  return {
    method: request.method ?? "",
    url: url.href,
    nullableHeaders: nullable(headers),
    nullableQuery: nullable(queryOf(url)),
    nullableParams: nullable(Object.entries(params).map(([name, value]) => [name, [value]])),
  };
}

/** The query's values by name. Names that differ only in case are one name, spelled like the last one. */
function queryOf(url: URL): [string, string[]][] {
  const named = new Map<string, [string, string[]]>();
  for (const [name, value] of url.searchParams) {
    const [, values] = named.get(name.toLowerCase()) ?? ["", []];
    named.set(name.toLowerCase(), [name, [...values, value]]);
  }
  return [...named.values()];
}

/**
 * The body, or null if there is none. Only a body with a declared length counts: like the real host, this host does not read a chunked
 * body. If the body is longer than `maxBytes`, it throws Kestrel's error, which the real host gets while it binds the trigger.
 */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<TypedData | null> {
  if (!(Number(request.headers["content-length"] ?? 0) > 0)) return null;
  const bytes = await readWithin(request, maxBytes);
  if (bytes) return { bytes };
  throw new RangeError(`Request body too large. The max request body size is ${maxBytes} bytes.`);
}

/** Repeated values are joined by commas. */
const nullable = (entries: readonly (readonly [string, readonly string[]])[]) =>
  Object.fromEntries(entries.map(([name, values]) => [name, { value: values.join(",") }]));
