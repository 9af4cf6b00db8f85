import { describe, expect, it } from "vitest";
import * as z from "zod";
import { endpoints } from "../../../functions/endpoints.ts";
import { examples } from "../../../infra/documents/openapi/examples.ts";
import { dateInPath } from "../../../shared/contracts/fields.ts";
import { landingPageRequestBody } from "../../../shared/contracts/requests/landing-page-request.ts";
import { fieldCodes, type FieldProblem } from "../../../shared/domain/refusal.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { fieldProblems } from "../../../shared/edge/http/field-problems.ts";
import { readThrough } from "../../../shared/edge/http/read-through.ts";
import { anyJson } from "../../support/any-value.ts";
import { fc } from "../../support/drawn.ts";

/** The object that a schema reads, below transformations, optional members and defaults. */
function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectIn(schema.in);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? objectIn(schema.unwrap()) : undefined;
}

/** The names of the members that a schema reads. For a union, the names of each alternative. */
const namesIn = (schema: z.core.$ZodType): string[] =>
  schema instanceof z.ZodUnion ? schema.options.flatMap(namesIn) : Object.keys(objectIn(schema)?.shape ?? {});

const anyWrong = fc.oneof(
  fc.constantFrom("", "x".repeat(3_000), -1, 0, 1.5, 1e20, 0.001, true, [], {}, [[]], "SEK", "XYZ"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 80 }),
  fc.dictionary(fc.constantFrom("orderId", "paymentId", "other"), fc.oneof(fc.integer(), fc.string({ minLength: 60 }))),
  anyJson,
);

/** The example with each member unchanged, changed or missing. */
const anyLike = (example: object, names: readonly string[]): fc.Arbitrary<object> =>
  fc
    .record(
      Object.fromEntries(
        [...new Set(names)].map((name) => {
          const good: unknown = example[name as keyof typeof example];
          return [name, fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: anyWrong })];
        }),
      ),
      { requiredKeys: [], noNullPrototype: true },
    )
    .map((members) => JSON.parse(JSON.stringify(members)) as object);

/** The problems of a body. A wrong report is read as `refused`, with its problems. */
function problemsOf({ body }: Contract, sent: unknown): readonly FieldProblem[] {
  if (!body) return [];
  const read = readThrough(body.schema, sent);
  if (!read.ok) return read.error.errors ?? [];
  const refused = z.object({ of: z.literal("refused"), readAs: z.instanceof(z.ZodType), issues: z.array(z.any()) });
  const { data } = refused.safeParse(read.value);
  return data ? fieldProblems(data.readAs, data.issues as z.core.$ZodIssue[], sent) : [];
}

/** Words of zod and of programmers. */
const foreign =
  /right format|expected|received|invalid input|invalid option|invalid_|too big|too small|undefined|\bnull|\bNaN|regex|string\b/i;

const withBody: readonly Contract[] = endpoints.map(({ contract }) => contract).filter(({ body }) => body);

describe.each(withBody.map((contract) => [contract.name, contract] as const))(
  "a wrong body of %s",
  (name, contract) => {
    const { body } = contract;
    const names = body ? namesIn(body.shown ?? body.schema) : [];

    it("is reported in the codes and the words of the platform", () => {
      expect(names.length).toBeGreaterThan(0);
      let told = 0;
      fc.assert(
        fc.property(fc.oneof(anyLike(examples[name]?.body ?? {}, names), anyJson), (sent) => {
          for (const { code, message } of problemsOf(contract, sent)) {
            told += 1;
            expect(Object.keys(fieldCodes)).toContain(code);
            expect(message).not.toMatch(foreign);
            expect(message).toMatch(/^(?:must|is|does) /);
          }
        }),
      );
      expect(told).toBeGreaterThan(20);
    });

    it("has a line `required` for each required field that is missing", () => {
      const example = examples[name]?.body ?? {};
      const missing = Object.keys(example).flatMap((field) => {
        const { [field as keyof typeof example]: _, ...rest } = example;
        return problemsOf(contract, rest).map((problem) => [field, problem.field, problem.code]);
      });
      for (const [left, field, code] of missing) expect([left, field, code]).toEqual([left, left, "required"]);
    });
  },
);

it.each(
  endpoints.flatMap(({ contract: { name, parameters } }: { readonly contract: Contract }) =>
    Object.values(parameters).flatMap(({ shape }: z.ZodObject) =>
      Object.entries(shape)
        .filter(([, schema]) => !(schema instanceof z.ZodCatch)) // any value of it is accepted
        .map(([field, schema]) => [name, field, schema as z.ZodType] as const),
    ),
  ),
)("a wrong parameter of %s, %s, is reported in the words of the platform", (_, field, schema) => {
  const told = ["2026-13-01", "x".repeat(5_000), "\0", "-1"].flatMap((sent) => {
    const read = readThrough(z.object({ [field]: schema }), { [field]: sent });
    return read.ok ? [] : (read.error.errors ?? []);
  });
  expect(told.length).toBeGreaterThan(0);
  for (const { message } of told) expect(message).not.toMatch(foreign);
});

it.each([
  ["a day", dateInPath, { date: "2026-13-01" }, "date", "must be a day such as 2026-11-21"],
  ["a language", landingPageRequestBody, { locale: "swedish" }, "locale", "must be a language such as sv or sv-SE"],
])("what is not %s is told its form", (_, schema: z.ZodType, sent, field, message) => {
  const read = readThrough(schema, sent);
  expect(read.ok ? [] : read.error.errors).toContainEqual({ field, code: "invalid", message });
});

it.each([
  ["a text that is too long", z.string().max(3), "abcd", "too_long", "must have at most 3 characters"],
  ["an empty text", z.string().min(1), "", "too_short", "must not be empty"],
  ["a number below", z.number().min(30), 29, "out_of_range", "must be at least 30"],
  ["a number at an open end", z.number().lt(100), 100, "out_of_range", "must be below 100"],
  ["half a number", z.int(), 1.5, "too_many_decimals", "must be a whole number"],
  ["a number with decimals", z.number().multipleOf(0.01), 0.001, "too_many_decimals", "must have at most 2 decimals"],
  ["a value that is none", z.enum(["void", "keep"]), "x", "unknown_value", "must be one of void, keep"],
  ["a constant", z.literal("pay"), "x", "unknown_value", 'must be "pay"'],
  ["a text for a number", z.number(), "1", "wrong_type", "must be a number"],
  ["a list that is too long", z.array(z.any()).max(1), [1, 2], "too_long", "must have at most 1 entries"],
  ["no such form", z.string().regex(/^a$/), "b", "invalid", "does not have the right format"],
])("%s is reported with its limit", (_, schema, sent, code, message) => {
  const read = readThrough(z.object({ member: schema }), { member: sent });
  expect(read).toMatchObject({ ok: false, error: { errors: [{ field: "member", code, message }] } });
});
