import type { HttpRequest } from "@azure/functions";
import type { z } from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import { readThrough } from "./read-through.ts";
import { InexactNumber, parseStrictJson } from "./strict-json.ts";

/** The most bytes of a body. The Functions host is set to cut off a longer one. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Refuses a body for an endpoint that takes none. An empty body is none. A chunked body never arrives here: the Functions host drops it.
 */
export const refuseBody = ({ headers }: Pick<HttpRequest, "headers">): Result<undefined, Problem> =>
  Number(headers.get("content-length") ?? 0) > 0
    ? refuse({ code: "body_too_large", detail: "This operation takes no body." })
    : ok(undefined);

/** Reads a JSON body through its schema. A body that cannot be read is 400, 413 or 415; one with a wrong field is 422. */
export async function readBody<B>(request: HttpRequest, schema: z.ZodType<B>): Promise<Result<B, Problem>> {
  const bytes = await bytesOf(request);
  if (!bytes.ok) return bytes;
  const json = jsonOf(bytes.value);
  return json.ok ? readThrough(schema, json.value) : json;
}

/** The body's bytes. The headers decide first, so that a body that they exclude is not read. */
async function bytesOf(request: HttpRequest): Promise<Result<ArrayBuffer, Problem>> {
  const length = request.headers.get("content-length") ?? "";
  if (!/^\d+$/.test(length)) return refuse({ code: "length_required" });
  if (Number(length) > MAX_BODY_BYTES) return refuse({ code: "body_too_large" });
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") return refuse({ code: "unsupported_media_type" });
  const bytes = await request.arrayBuffer();
  return bytes.byteLength > MAX_BODY_BYTES ? refuse({ code: "body_too_large" }) : ok(bytes);
}

function jsonOf(bytes: ArrayBuffer): Result<unknown, Problem> {
  try {
    return ok(parseStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    if (error instanceof InexactNumber) return refuse({ code: "invalid_json", detail: error.message });
    if (error instanceof SyntaxError || error instanceof TypeError) return refuse({ code: "invalid_json" });
    throw error;
  }
}
