import type { IncomingMessage } from "node:http";
import { readWithin } from "../../emulators/common/bounded-server.ts";
import { Refusal } from "./source.ts";

// What the servers of the live page and of the reference share: both pages can move money of the demo.

const MAX_BODY_BYTES = 256 * 1024;

/** No script but the page's own, no other server, no frame around it. */
export const pageSafety = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin", // what the pages load holds the demo's keys
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** A page of another origin names it; programs name none. */
export function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

/** The JSON of a request's body; an empty object where there is none. Throws `Refusal` for what is none, and for more than 256 KiB. */
export async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const body = await readWithin(request, MAX_BODY_BYTES);
  if (!body) throw new Refusal("The request is too large.");
  try {
    return body.byteLength === 0 ? {} : JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new Refusal("The request is no JSON.");
  }
}
