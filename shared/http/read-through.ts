import type { z } from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import { ok, refuse, type Result } from "../domain/result.ts";

/** What a caller sent, as the schema reads it; else `validation_failed` with a line for each field that is missing or wrong. */
export function readThrough<Read>(schema: z.ZodType<Read>, sent: unknown): Result<Read, Problem> {
  const parsed = schema.safeParse(sent);
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
