import type { Schema, Schemas } from "./document.ts";
import { limits } from "./limits.ts";

/**
 * One simple schema that a value may match: without reference, union, `allOf` or `const`; of one type, or of any; its values, where they
 * are known, in `enum`.
 */
export interface Alternative extends Schema {
  readonly type?: string;
}

/**
 * The alternatives of a schema, independent of its notation: by a reference or in place, as `anyOf`, `oneOf` or a list of types. A
 * reference met within itself adds none. Throws for a reference to nothing, and for keywords of `allOf` that cannot be joined.
 */
export function alternativesOf(schema: Schema, schemas: Schemas, within: readonly string[] = []): Alternative[] {
  const { $ref, anyOf, oneOf, allOf = [], ...own } = schema;
  const inside = $ref === undefined ? within : [...within, $ref];
  const expand = (part: Schema) => alternativesOf(part, schemas, inside);
  const factors = [
    byType(own),
    ...($ref === undefined ? [] : [within.includes($ref) ? [] : expand(referred($ref, schemas))]),
    ...[anyOf, oneOf].flatMap((union) => (union ? [union.flatMap(expand)] : [])),
    ...allOf.map(expand),
  ];
  return factors.reduce((left, right) => left.flatMap((one) => right.flatMap((other) => joined(one, other))));
}

function referred($ref: string, schemas: Schemas): Schema {
  const found = schemas.get($ref);
  if (!found) throw new Error(`${$ref} is nowhere`);
  return found;
}

function byType({ const: only, ...schema }: Schema): Alternative[] {
  const values = only === undefined ? schema.enum : [only];
  const types = schema.type === undefined ? [...new Set(values?.map(typeOf))] : [schema.type].flat();
  const { type: _, ...untyped } = schema;
  if (types.length === 0) return [untyped];
  return types.flatMap((type) => {
    const own = values?.filter((value) => covers(type, typeOf(value)));
    return own?.length === 0 ? [] : [{ ...untyped, type, ...(own && { enum: own }) }];
  });
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Whether every value of the second type is also of the first: every integer is a number. No type means any type. */
export const covers = (wide: string | undefined, narrow: string | undefined): boolean =>
  wide === undefined || wide === narrow || (wide === "number" && narrow === "integer");

/** The intersection of both; none where no value can match both. */
function joined(one: Alternative, other: Alternative): Alternative[] {
  if (!covers(one.type, other.type) && !covers(other.type, one.type)) return [];
  const type = covers(one.type, other.type) ? other.type : one.type;
  const both: Record<string, unknown> = { ...other, ...one, ...(type !== undefined && { type }) };
  if (one.required && other.required) both["required"] = [...new Set([...one.required, ...other.required])];
  if (one.properties && other.properties) both["properties"] = joinedProperties(one.properties, other.properties);
  const twice = single.find((keyword) => keyword in one && keyword in other && !isSame(one[keyword], other[keyword]));
  if (twice !== undefined) throw new Error(`${twice} is said twice, as ${text(one[twice])} and ${text(other[twice])}`);
  return [both];
}

/** The keywords of which two differing values cannot be combined. For descriptions and defaults, the nearer one applies. */
const single = ["enum", "items", "additionalProperties", "propertyNames", ...limits];

const text = (value: unknown) => JSON.stringify(value);
const isSame = (one: unknown, other: unknown) => text(one) === text(other);

type Properties = NonNullable<Schema["properties"]>;

function joinedProperties(one: Properties, other: Properties): Properties {
  const both = new Map(Object.entries(other));
  for (const [name, schema] of Object.entries(one)) {
    const already = both.get(name);
    both.set(name, already ? joinedSchema(schema, already) : schema);
  }
  return Object.fromEntries(both);
}

/** Repetitions are left out, so that schemas within themselves do not grow without end. */
function joinedSchema(one: Schema, other: Schema): Schema {
  const said = [one, other].flatMap((schema) =>
    isSame(Object.keys(schema), ["allOf"]) ? (schema.allOf ?? []) : [schema],
  );
  const allOf = [...new Map(said.map((schema) => [text(schema), schema])).values()];
  return allOf.length === 1 ? one : { allOf };
}
