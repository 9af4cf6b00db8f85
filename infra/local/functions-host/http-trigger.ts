import type { IncomingMessage, ServerResponse } from "node:http";
import { endEmpty, readWithin } from "../common/bounded-server.ts";
import type { RegisteredFunction } from "./functions-core.ts";
import { writeResponse } from "./http-response.ts";
import type { Invoke } from "./invocation.ts";
import { opens, type AuthLevel, type HostKeys } from "./keys.ts";
import { describe, type Log } from "./log.ts";
import { routeTable, type RouteParams } from "./routes.ts";
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

export type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Responds to requests with the functions whose routes they match. Throws if the routes cannot be served. Streams are off: like the real
 * host without that capability, it holds each body in memory.
 */
export function httpTrigger(options: {
  readonly functions: readonly HttpFunction[];
  readonly routePrefix: string;
  readonly keys: HostKeys;
  /** A longer body is refused, for every function; in bytes. */
  readonly maxBodyBytes: number;
  readonly invoke: Invoke;
  readonly log: Log;
}): AnswerRequest {
  const { functions, keys, maxBodyBytes, invoke, log } = options;
  const findRoute = routeTable(
    options.routePrefix,
    functions.map((target) => ({ template: target.route, methods: target.methods, target })),
  );
  /** Yields the response that the function returned, if it returned one. */
  const call = async ({ registered, bindingName }: HttpFunction, http: HttpData, { headers }: IncomingMessage) => {
    const traceContext = spanOf(headers.traceparent, String(headers["tracestate"] ?? ""));
    const inputData = [{ name: bindingName, data: { http } }];
    const { returnValue } = await invoke(registered, { inputData, traceContext });
    return returnValue?.http;
  };
  return async (request, response) => {
    const end = (status: number) => endEmpty(request, response, status);
    const url = urlOf(request);
    if (!url) return end(400);
    const found = findRoute(request.method ?? "", url.pathname);
    if (!found) return end(404); // the method is part of a route: a wrong method is 404, not 405
    const { registered, authLevel } = found.target;
    const functionName = registered.name;
    if (!opens(keys, { functionName, level: authLevel, key: shownKey(request, url) })) return end(401);
    try {
      const body = await bodyOf(request, maxBodyBytes);
      if (body === "too long") return end(413);
      const http = { ...headOf(request, url, found.params), body };
      const returned = await call(found.target, http, request);
      if (returned) writeResponse(request, response, returned);
      else end(204);
    } catch (error) {
      if (hungUpWhileSending(request)) return; // the caller is gone
      log({ level: "error", category: "system", functionName, message: `the function failed: ${describe(error)}` });
      end(500); // empty: only the operator may read the error
    }
  };
}

const hungUpWhileSending = (request: IncomingMessage): boolean => !request.complete && request.destroyed;

/** Characters that a URL parser treats as a separator, or removes, and Kestrel does not. */
const isDoubtful = (target: string): boolean => /[\\#\p{Cc}]/u.test(target);

/**
 * The URL that the caller used, as far as its Host header shows it; undefined where no URL can be built, or its path could be read in two
 * ways.
 */
function urlOf({ url: target = "/", headers }: IncomingMessage): URL | undefined {
  if (isDoubtful(target)) return undefined;
  const url = URL.parse(target.startsWith("/") ? `http://${headers.host}${target}` : target);
  return url ?? undefined;
}

/** The header has precedence, even when it is empty or wrong. */
const shownKey = (request: IncomingMessage, url: URL): string | undefined =>
  request.headersDistinct["x-functions-key"]?.[0] ?? url.searchParams.get("code") ?? undefined;

function headOf(request: IncomingMessage, url: URL, params: RouteParams): Omit<HttpData, "body"> {
  const query = [...new Set(url.searchParams.keys())].map((key) => [key, url.searchParams.getAll(key)] as const);
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, values ?? []] as const);
  return {
    method: request.method ?? "",
    url: url.href,
    nullableHeaders: nullable(headers),
    nullableQuery: nullable(query),
    nullableParams: nullable(Object.entries(params).map(([name, value]) => [name, [value]])),
  };
}

/** The body, or null where there is none. Only a declared length counts: like the real host, this one does not read a chunked body. */
async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<TypedData | null | "too long"> {
  if (!(Number(request.headers["content-length"] ?? 0) > 0)) return null;
  const bytes = await readWithin(request, maxBytes);
  return bytes ? { bytes } : "too long";
}

/** Repeated values are joined by commas. */
const nullable = (entries: readonly (readonly [string, readonly string[]])[]) =>
  Object.fromEntries(entries.map(([name, values]) => [name, { value: values.join(",") }]));
