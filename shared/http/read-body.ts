import type { HttpRequest } from "@azure/functions";
import type { z } from "zod";
import type { Problem } from "../contracts/problem.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
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
  const parsed = schema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const errors = parsed.error.issues.map((issue) => ({
    field: issue.path.join("."),
    code: codeOf(issue),
    message: issue.message,
  }));
  return refuse({ code: "validation_failed", errors });
}

/** zod words a missing member as a type error on undefined; a caller wants to know that it is missing. */
const codeOf = (issue: z.core.$ZodIssue): string =>
  issue.code === "invalid_type" && issue.message.includes("undefined") ? "required" : issue.code;
