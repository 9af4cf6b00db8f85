import type { HttpRequest } from "@azure/functions";
import type { z } from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import { refuse, type Result } from "../domain/result.ts";
import { readThrough } from "./read-through.ts";
import { parseStrictJson } from "./strict-json.ts";

const MAX_BYTES = 64 * 1024;

/** Reads a JSON body through its schema; a body that cannot be read is 400, 413 or 415, one with a wrong field 422. */
export async function readBody<B>(request: HttpRequest, schema: z.ZodType<B>): Promise<Result<B, Problem>> {
  const length = request.headers.get("content-length");
  if (length === null || !/^\d+$/.test(length)) return refuse({ code: "length_required" });
  if (Number(length) > MAX_BYTES) return refuse({ code: "body_too_large" });
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") return refuse({ code: "unsupported_media_type" });
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BYTES) return refuse({ code: "body_too_large" });

  let json: unknown;
  try {
    json = parseStrictJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return refuse({ code: "invalid_json" });
    throw error;
  }
  return readThrough(schema, json);
}
