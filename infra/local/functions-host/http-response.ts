import type { IncomingMessage, ServerResponse } from "node:http";
import { endAnswer } from "../common/bounded-server.ts";
import type { HttpCookie, HttpData } from "./worker-protocol.ts";

/** Sends what the function returned. Throws before the first byte when a header or the status cannot be sent. */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { statusCode, headers = {}, cookies = [], body }: HttpData,
): void {
  const content = body?.bytes ?? body?.string;
  try {
    response.statusCode = Number(statusCode);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    for (const cookie of cookies) response.appendHeader("set-cookie", setCookie(cookie));
  } catch (error) {
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    throw error;
  }
  endAnswer(request, response, content);
}

const sameSites = { none: undefined, lax: "lax", strict: "strict", explicitNone: "none" } as const;

const setCookie = (cookie: HttpCookie): string =>
  [
    `${encodeURIComponent(cookie.name)}=${encodeURIComponent(cookie.value)}`,
    ...attributesOf(cookie),
    ...flagsOf(cookie),
  ].join("; ");

function attributesOf({ domain, path, expires, maxAge, sameSite = "none" }: HttpCookie): string[] {
  const attributes = {
    expires: expires && new Date(expires.value.seconds * 1000).toUTCString(),
    "max-age": maxAge?.value,
    domain: domain?.value,
    path: path?.value ?? "/", // ASP.NET's own default
    samesite: sameSites[sameSite],
  };
  return Object.entries(attributes).flatMap(([key, text]) => (text === undefined ? [] : [`${key}=${text}`]));
}

const flagsOf = ({ secure, httpOnly }: HttpCookie): string[] => [
  ...(secure?.value ? ["secure"] : []),
  ...(httpOnly?.value ? ["httponly"] : []),
];
