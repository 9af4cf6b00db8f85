import * as z from "zod";
import { dayOf } from "../../shared/domain/time.ts";
import { fc } from "./drawn.ts";

/** One UTF-16 code unit or code point, with a bias to those that are easily lost: lone surrogates, line separators, astral characters. */
const anyCharacter = fc.oneof(
  fc.constantFrom("\ud83d", "\ude00", "😀", "\u{10ffff}", "\u2028", "\u2029", "\0", '"', "\\", "å"),
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);

/** Text of any Unicode characters, well-formed or not. */
const anyText = fc.string({ unit: anyCharacter, maxLength: 20 });

const anyInstant = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** JSON has no negative zero. */
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);

/** Names that a body can have. None sets the prototype, is half a character, or needs an escape in JSON. */
export const anyName = anyText.map(toName).filter((name) => name !== "__proto__");

function toName(text: string): string {
  return text.toWellFormed().replaceAll(/["\\\p{Cc}]/gu, "_");
}

/** Any JSON that a body can have. */
export const anyJson: fc.Arbitrary<unknown> = fc.jsonValue().map(withNames);

/**
 * The value with possible names, without its negative zeros. It must not be parsed, because `JSON.parse` may garble the names that are
 * replaced here.
 */
function withNames(value: unknown): unknown {
  if (typeof value === "number") return value + 0;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withNames);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [toName(name), withNames(member)]));
}

type Maker = (schema: z.core.$ZodType) => fc.Arbitrary<unknown> | undefined;

const forKind =
  <S>(kind: abstract new (...args: never[]) => S, make: (schema: S) => fc.Arbitrary<unknown>): Maker =>
  (schema) =>
    schema instanceof kind ? make(schema) : undefined;

const makers: readonly Maker[] = [
  forKind(z.ZodObject, ({ shape }) =>
    fc.record(Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, anyFull(member)])), {
      noNullPrototype: true,
    }),
  ),
  forKind(z.ZodArray, ({ element }) => fc.array(anyFull(element), { maxLength: 3 })),
  forKind(z.ZodRecord, ({ valueType }) => fc.dictionary(anyName, anyFull(valueType), { noNullPrototype: true })),
  forKind(z.ZodUnion, ({ options }) => fc.oneof(...options.map(anyFull))),
  forKind(z.ZodOptional, (optional) => anyFull(optional.unwrap())),
  forKind(z.ZodEnum, ({ options }) => fc.constantFrom(...options)),
  forKind(z.ZodLiteral, ({ values }) => fc.constantFrom(...values)),
  forKind(z.ZodISODateTime, () => anyInstant),
  forKind(z.ZodISODate, () => anyInstant.map(dayOf)),
  forKind(z.ZodString, () => anyText),
  forKind(z.ZodNumberFormat, () => fc.maxSafeInteger()),
  forKind(z.ZodNumber, () => anyNumber),
  forKind(z.ZodUnknown, () => anyJson),
  forKind(z.ZodBoolean, () => fc.boolean()),
];

/** Any value that the schema describes, with every optional member present. Throws for a kind of schema that no record uses yet. */
export function anyFull(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  for (const make of makers) {
    const made = make(schema);
    if (made) return made;
  }
  throw new Error(`no values for a schema of the kind ${schema._zod.def.type}`);
}
