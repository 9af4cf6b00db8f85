import type * as z from "zod";
import type { Problem } from "../../contracts/objects/problem.ts";
import type { FieldProblem } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { fieldProblems, MAX_ERRORS } from "./field-problems.ts";

/**
 * Parses a caller's input with the schema. Returns `validation_failed` with a line for each field that is missing or wrong.
 *
 * @param others problems of the input that the schema does not find
 */
export function readThrough<Read>(
  schema: z.ZodType<Read>,
  sent: unknown,
  others: readonly FieldProblem[] = [],
): Result<Read, Problem> {
  const parsed = schema.safeParse(sent);
  if (parsed.success && others.length === 0) return ok(parsed.data);
  const wrong = parsed.success ? [] : fieldProblems(schema, parsed.error.issues, sent);
  return refuse({ code: "validation_failed", errors: [...others, ...wrong].slice(0, MAX_ERRORS) });
}
