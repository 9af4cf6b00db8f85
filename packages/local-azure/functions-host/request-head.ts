import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** Kestrel's limits: bytes of the request line and of all headers, and the number of headers. */
const MAX_LINE_BYTES = 8 * 1024;
const MAX_HEADERS_BYTES = 32 * 1024;
const MAX_HEADERS = 100;

/** The status with which Kestrel rejects a request because of its line or headers. Undefined if it accepts the request. */
export function headFault(request: IncomingMessage): 400 | 414 | 431 | undefined {
  const { method, url, rawHeaders } = request;
  if (`${method} ${url} HTTP/1.1\r\n`.length > MAX_LINE_BYTES) return 414;
  const bytes = rawHeaders.reduce((sum, part) => sum + part.length + 2, 0); // ": " or a line's end
  if (bytes > MAX_HEADERS_BYTES || rawHeaders.length / 2 > MAX_HEADERS) return 431;
  return isForOneHost(request) && isPath(url) && rawHeaders.every((part) => isUtf8(bytesOf(part))) ? undefined : 400;
}

/** Whether there is exactly one Host header, and the target names the same host if it is a whole URL. */
function isForOneHost({ url = "", rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "host");
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?]*)/i.exec(url) ?? [];
  return hosts.length === 1 && (authority === undefined || authority.toLowerCase() === hosts[0]?.toLowerCase());
}

const isPath = (url = ""): boolean => !/^[^?]*(%00|\p{Cc})/u.test(url);

/**
 * The URL that the caller used, from its Host header and target. Undefined if they form no URL. A backslash and `#` are characters of the
 * path, as in Kestrel. A URL parser would treat them as separators.
 */
export function urlOf({ url: target = "/", headers }: IncomingMessage): URL | undefined {
  const whole = target.startsWith("/") ? `http://${headers.host}${target}` : target;
  return URL.parse(whole.replaceAll("\\", "%5C").replaceAll("#", "%23")) ?? undefined;
}

/** A header's value. Kestrel reads values as UTF-8, and Node as Latin-1. */
export const headerText = (value: string): string => bytesOf(value).toString("utf8");

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");
