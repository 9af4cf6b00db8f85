import type { HttpRequest } from "@azure/functions";
import type { Problem } from "../../contracts/objects/problem.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { UnreadBody } from "../../contracts/requests/unread-body.ts";
import type { RequestBody } from "./contract.ts";
import { decodeBody } from "./decode-body.ts";
import { readThrough } from "./read-through.ts";
import { unknownMembers } from "./unknown-members.ts";
import { DoubtfulJson, parseStrictJson } from "./strict-json.ts";

/** The most bytes of a body. The Functions host is set to cut off a longer one. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Refuses a body for an endpoint that takes none. An empty body counts as absent. A chunked body never arrives here, because the Functions
 * host drops it.
 */
export const refuseBody = ({ headers }: Pick<HttpRequest, "headers">): Result<undefined, Problem> =>
  hasBody(headers) ? refuse(noBodyTaken) : ok(undefined);

const hasBody = (headers: HttpRequest["headers"]): boolean => Number(headers.get("content-length") ?? 0) > 0;

/** With these headers the gateway says why it forwards a report without its body, and how long the body was. */
const REFUSED_HEADER = "x-body-refused";
const LENGTH_HEADER = "x-body-length";

/**
 * Reads a JSON body through its schema. An unreadable body is 400, 413 or 415. A body with a wrong field is 422. The headers are checked
 * first. A body that they exclude is not read, unless the endpoint keeps unreadable bodies.
 *
 * @param isStrict whether a member that the schema does not know is a wrong field
 */
export async function readBody<B>(
  request: Pick<HttpRequest, "headers" | "arrayBuffer">,
  body: Omit<RequestBody<B>, "shown">,
  isStrict = false,
): Promise<Result<B, Problem>> {
  const { unread, isOptional = false } = body;
  if (isOptional && !hasBody(request.headers)) return readMembers({ value: {}, text: "{}" }, body, isStrict);
  const read = await received(request, unread !== undefined);
  if ("value" in read) return readMembers(read, body, isStrict);
  if (!unread) return refuse(read.problem);
  const { headers } = request;
  const contentType = headers.get("content-type") ?? "";
  const length = headers.get(LENGTH_HEADER) ?? headers.get("content-length") ?? "";
  return ok(unread({ json: undefined, bytes: undefined, ...read, contentType, length }));
}

function readMembers<B>(
  { value, text }: ReadText,
  { schema, refused }: Pick<RequestBody<B>, "schema" | "refused">,
  isStrict: boolean,
): Result<B, Problem> {
  const unknown = isStrict ? unknownMembers(schema, value, text) : [];
  return readThrough(schema, value, [...(refused?.(value) ?? []), ...unknown]);
}

async function received(
  request: Pick<HttpRequest, "headers" | "arrayBuffer">,
  keepsUnread: boolean,
): Promise<Json & { readonly bytes?: Uint8Array }> {
  const { headers } = request;
  const refused = keepsUnread ? refusedUnread(headers) : refusedBy(headers);
  if (refused) return { problem: refused };
  const bytes = new Uint8Array(await request.arrayBuffer());
  const json = jsonOf(bytes);
  const isOther = !("value" in json) && !json.json && (isEncoded(headers) || !isJson(headers));
  return { ...(isOther ? { problem: notPlainJson } : json), bytes };
}

// The gateway refuses bodies in the same words.
const noBodyTaken = {
  code: "body_too_large",
  detail: "This operation takes no body.",
} as const satisfies Problem;
export const tooLarge = { code: "body_too_large", detail: "Send at most 64 KiB." } as const satisfies Problem;
/** Refuses a body of another type, and a compressed body. */
export const notPlainJson = {
  code: "unsupported_media_type",
  detail: "Send uncompressed JSON with Content-Type: application/json, and without Content-Encoding.",
} as const satisfies Problem;

/** Whether the body is said to be compressed. */
const isEncoded = (headers: HttpRequest["headers"]): boolean =>
  (headers.get("content-encoding") ?? "").split(",").some((coding) => !/^(?:identity)?$/i.test(coding.trim()));

const isJson = (headers: HttpRequest["headers"]): boolean =>
  headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() === "application/json";

/**
 * A body without a `Content-Length` passes. The Functions host has dropped it, and the empty body is later rejected because it is not JSON.
 */
const refusedAsLong = (headers: HttpRequest["headers"]): Problem | undefined =>
  Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES ? tooLarge : undefined;

const refusedBy = (headers: HttpRequest["headers"]): Problem | undefined =>
  isEncoded(headers) ? notPlainJson : (refusedAsLong(headers) ?? (isJson(headers) ? undefined : notPlainJson));

/**
 * An endpoint that keeps unreadable bodies refuses only long ones by their headers, and tries to read all others. Only the gateway's policy
 * of `report` sets its header, for a body that it removed, and it removes a caller's own.
 */
const refusedUnread = (headers: HttpRequest["headers"]): Problem | undefined =>
  headers.get(REFUSED_HEADER) === tooLarge.code ? tooLarge : refusedAsLong(headers);

interface ReadText {
  readonly value: unknown;
  readonly text: string;
}
type Json = ReadText | (Pick<UnreadBody, "problem"> & Partial<Pick<UnreadBody, "json">>);

function jsonOf(bytes: Uint8Array): Json {
  if (bytes.byteLength > MAX_BODY_BYTES) return { problem: tooLarge };
  try {
    const text = decodeBody(bytes);
    return { value: parseStrictJson(text), text };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problem = { code: "invalid_json", detail: error.message } as const;
    return error instanceof DoubtfulJson ? { problem, json: error } : { problem };
  }
}
