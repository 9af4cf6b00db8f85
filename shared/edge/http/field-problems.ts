import * as z from "zod";
import { fieldCodes, type FieldCode, type FieldProblem } from "../../domain/refusal.ts";

/** The most lines in a response. Further errors appear after these are corrected. */
export const MAX_ERRORS = 20;

/** A problem without its field. */
type Wrong = Omit<FieldProblem, "field">;
type Issue = z.core.$ZodIssue;

/**
 * Returns a line for each field that the schema found missing or wrong. A line holds only names of the schema: it repeats neither values
 * nor names that the caller invented. Codes and words are the platform's own, because zod's change with its version. (API behaviour 3)
 *
 * @param sent what the schema read
 */
export const fieldProblems = (schema: z.ZodType, issues: readonly Issue[], sent: unknown): FieldProblem[] =>
  issues.slice(0, MAX_ERRORS).map((issue) => ({
    field: knownPath(schema, issue.path).join("."),
    ...wrongBy(issue, valueAt(sent, issue.path)),
  }));

/** The path as far as the schema names it. It ends at a record, whose member names are chosen by the caller. */
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
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  if (!(schema instanceof z.ZodPipe)) return schema;
  return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
}

const valueAt = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, name) => (typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[name] : undefined),
    sent,
  );

/** An issue that a contract raised has its own message, and its code as a parameter. For a missing field, no other problem is reported. */
function wrongBy(issue: Issue, value: unknown): Wrong {
  const isMissing = value === undefined;
  if (issue.code === "custom") {
    const named: unknown = issue.params?.["code"];
    return { code: isFieldCode(named) ? named : isMissing ? "required" : "invalid", message: issue.message };
  }
  return isMissing ? { code: "required", message: "is missing" } : wrongValue(issue, value);
}

const isFieldCode = (code: unknown): code is FieldCode => typeof code === "string" && Object.hasOwn(fieldCodes, code);

function wrongValue(issue: Issue, value: unknown): Wrong {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, value);
    case "invalid_value":
      return { code: "unknown_value", message: oneOf(issue.values) };
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "not_multiple_of":
      return { code: "too_many_decimals", message: `must have at most ${decimalsOf(issue.divisor)} decimals` };
    case "invalid_key":
      return { code: "invalid", message: "is not an allowed name" };
    default:
      return { code: "invalid", message: "does not have the right format" };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

const wrongType = (wanted: string, value: unknown): Wrong => ({
  code: wanted === "int" && typeof value === "number" ? "too_many_decimals" : "wrong_type",
  message: `must be ${typeNames[wanted] ?? "of another type"}`,
});

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? `must be ${JSON.stringify(values[0])}` : `must be one of ${values.map(plain).join(", ")}`;

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Wrong {
  if (origin === "string")
    return {
      code: "too_short",
      message: minimum === 1 ? "must not be empty" : `must have at least ${minimum} characters`,
    };
  if (origin === "array") return { code: "too_short", message: `must have at least ${minimum} entries` };
  return { code: "out_of_range", message: inclusive ? `must be at least ${minimum}` : `must be above ${minimum}` };
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): Wrong {
  if (origin === "string") return { code: "too_long", message: `must have at most ${maximum} characters` };
  if (origin === "array") return { code: "too_long", message: `must have at most ${maximum} entries` };
  return { code: "out_of_range", message: inclusive ? `must be at most ${maximum}` : `must be below ${maximum}` };
}

const decimalsOf = (divisor: number | bigint): number => String(divisor).split(".")[1]?.length ?? 0;
