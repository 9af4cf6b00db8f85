import type * as z from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import { fieldProblems } from "./field-problems.ts";

/** Parses a caller's input with the schema. Returns `validation_failed` with a line for each field that is missing or wrong. */
export function readThrough<Read>(schema: z.ZodType<Read>, sent: unknown): Result<Read, Problem> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return ok(parsed.data);
  return refuse({ code: "validation_failed", errors: fieldProblems(schema, parsed.error.issues, sent) });
}
