import type { IncomingMessage, ServerResponse } from "node:http";
import { endAnswer } from "../common/bounded-server.ts";
import type { HttpCookie, HttpData } from "./worker-protocol.ts";

/** Sends the response that the function returned. Throws before the first byte if a header or the status cannot be sent. */
export function writeResponse(request: IncomingMessage, response: ServerResponse, returned: HttpData): void {
  const ofTheHost = new Set(response.getHeaderNames());
  const content = Buffer.from(returned.body?.bytes ?? returned.body?.string ?? "");
  try {
    setHead(response, returned);
    if (content.byteLength > 0) setLength(response, content.byteLength);
  } catch (error) {
    const ofTheFunction = response.getHeaderNames().filter((name) => !ofTheHost.has(name));
    for (const name of ofTheFunction) response.removeHeader(name);
    throw error;
  }
  endAnswer(request, response, content);
}

function setHead(response: ServerResponse, { statusCode, headers = {}, cookies = [] }: HttpData): void {
  response.statusCode = Number(statusCode);
  for (const [name, value] of Object.entries(headers)) setHeader(response, name, value);
  for (const cookie of cookies) response.appendHeader("set-cookie", setCookie(cookie));
}

/** Makes the body chunked if the function gave no length for it. */
function setLength(response: ServerResponse, bytes: number): void {
  const given = response.getHeader("content-length");
  if (given === undefined) response.setHeader("transfer-encoding", "chunked");
  else if (Number(given) < bytes) throw new RangeError("the function's content-length is shorter than its body");
}

function setHeader(response: ServerResponse, name: string, value: string): void {
  if (!/^[\t\x20-\x7e]*$/.test(value)) throw new TypeError(`the header ${name} has characters beyond ASCII`);
  if (value !== "" || name.toLowerCase() !== "content-type") response.setHeader(name, value);
}

const sameSites = { none: undefined, lax: "lax", strict: "strict", explicitNone: "none" } as const;

const setCookie = (cookie: HttpCookie): string =>
  [`${encodeURIComponent(cookie.name)}=${encodeURIComponent(cookie.value)}`, ...attributesOf(cookie)].join("; ");

/** The attributes of a cookie, in the order of ASP.NET. */
function attributesOf({ domain, path, expires, maxAge, secure, httpOnly, sameSite = "none" }: HttpCookie): string[] {
  const attributes = {
    expires: expires && new Date(expires.value.seconds * 1000).toUTCString(),
    "max-age": maxAge?.value,
    domain: domain?.value,
    path: path?.value ?? "/", // ASP.NET's default
    secure: secure?.value,
    samesite: sameSites[sameSite],
    httponly: httpOnly?.value,
  };
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? key : `${key}=${value}`];
  });
}
