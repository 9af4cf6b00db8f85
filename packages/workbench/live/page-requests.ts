import type { IncomingMessage } from "node:http";
import { readWithin } from "../../local-azure/common/bounded-server.ts";
import { Refusal } from "./source.ts";

// Shared by the servers of the live page and of the reference. Both pages can move the demo's money.

const MAX_BODY_BYTES = 256 * 1024;

/** Allows only the page's own scripts, no other server, and no frame around the page. */
export const pageSafety = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin", // the pages load the demo's keys
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** A request from a page of another origin names that origin. Programs name none. */
export function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

/** The JSON of a request's body. An empty object if there is no body. Throws `Refusal` if it is not JSON, or is larger than 256 KiB. */
export async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const body = await readWithin(request, MAX_BODY_BYTES);
  if (!body) throw new Refusal("The request is too large.");
  try {
    return body.byteLength === 0 ? {} : JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new Refusal("The request is not JSON.");
  }
}
