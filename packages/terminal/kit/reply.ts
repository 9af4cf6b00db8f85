import { HttpRequest } from "@azure/functions";
import type { Problem } from "../../../shared/contracts/objects/problem.ts";
import { toHttpResponse, type EndpointResponse } from "../../../shared/edge/http/response.ts";
import type { Call } from "./exchange.ts";
import type { TroubleKind } from "./troubles.ts";

// Converts a request and its response to the types of the platform's own readers and writers.

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The reply that the terminal sees if the connection is cut. */
export const noReply = { status: undefined, headers: {}, body: "" } as const;

/** Whether the trouble affects the connection, so that there is no response. */
export const isLine = (trouble: TroubleKind | undefined): boolean => trouble === "cut" || trouble === "lost";

export const requestOf = ({ method, headers, body }: Call, url: URL): HttpRequest =>
  new HttpRequest({
    method,
    url: url.href,
    headers: { ...headers },
    query: Object.fromEntries(url.searchParams),
    body: { bytes: body },
  });

export function replyOf(
  response: EndpointResponse,
  {
    newId,
    path,
    accept = null,
  }: { readonly newId: () => string; readonly path: string; readonly accept?: string | null | undefined },
): Reply {
  const {
    status = 0,
    headers = {},
    body,
  } = toHttpResponse(response, { requestId: newId(), path, accept, pagesUrl: undefined });
  return { status, headers: headers as Record<string, string>, body: typeof body === "string" ? body : "" };
}

/** The reason to reject a request before it is read. */
export function refusalOf(trouble: TroubleKind | undefined, isKnown: boolean): Problem | undefined {
  if (!isKnown || trouble === "invalid_credentials") return { code: "invalid_credentials" };
  if (trouble === "dependency_unavailable" || trouble === "rate_limited") return { code: trouble };
  return undefined;
}
