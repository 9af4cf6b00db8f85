import { z } from "zod";
import type { Problem } from "../contracts/objects/problem.ts";
import type { FieldProblem } from "../domain/refusal.ts";
import { ok, refuse, type Result } from "../domain/result.ts";

/** The most lines in a response. Errors beyond these appear once these are corrected. */
const MAX_ERRORS = 20;

/** What a caller sent, as the schema reads it; otherwise `validation_failed` with a line for each field that is missing or wrong. */
export function readThrough<Read>(schema: z.ZodType<Read>, sent: unknown): Result<Read, Problem> {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return ok(parsed.data);
  return refuse({ code: "validation_failed", errors: fieldProblems(schema, parsed.error.issues) });
}

/**
 * A line for each field that the schema found missing or wrong. It holds only names of the schema: a name that the caller made up is not
 * repeated. (API behaviour 3)
 */
export const fieldProblems = (schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): FieldProblem[] =>
  issues.slice(0, MAX_ERRORS).map((issue) => ({
    field: knownPath(schema, issue.path).join("."),
    code: codeOf(issue),
    message: issue.message,
  }));

/** The path as far as the schema names it. It ends at a record, whose member names are the caller's. */
function knownPath(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [first, ...rest] = path;
  const at = unwrapped(schema);
  if (first === undefined || at instanceof z.ZodRecord) return [];
  if (at instanceof z.ZodObject) {
    const member = (at.shape as Readonly<Record<PropertyKey, z.core.$ZodType | undefined>>)[first];
    return [first, ...(member ? knownPath(member, rest) : [])];
  }
  return at instanceof z.ZodArray ? [first, ...knownPath(at.element, rest)] : path;
}

/** The schema beneath optional members, defaults and transformations. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}

/** zod reports a missing member as a type error on undefined; the caller should see that it is missing. */
const codeOf = (issue: z.core.$ZodIssue): string =>
  issue.code === "invalid_type" && issue.message.includes("undefined") ? "required" : issue.code;
