/** A JSON schema as the documents hold it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

/** `sent` by callers: what was taken must still be. `told` to them: what is said must be what they were told to expect. */
export type Direction = "sent" | "told";

export interface Compared {
  readonly direction: Direction;
  /** Where it stands, for people. */
  readonly place: string;
  readonly released: ReadonlyMap<string, Schema>;
  readonly current: ReadonlyMap<string, Schema>;
  /** The pairs that are being compared already: one met within itself stops. */
  readonly within?: readonly string[];
}

/** Limits by which way is tighter. */
const limits = {
  minLength: "up",
  minimum: "up",
  exclusiveMinimum: "up",
  minItems: "up",
  maxLength: "down",
  maximum: "down",
  exclusiveMaximum: "down",
  maxItems: "down",
} as const;
/** What may be said of text, or of a number's steps: another one is another contract. */
const rules = ["pattern", "format", "multipleOf"] as const;
const structure = ["$ref", "type", "properties", "required", "items", "additionalProperties", "propertyNames"];
const choices = ["anyOf", "oneOf", "enum", "const", "default"];
const words = ["title", "description", "example", "examples", "deprecated", "discriminator"];
const known = new Set([...structure, ...choices, ...words, ...rules, ...Object.keys(limits)]);

/**
 * What in a schema breaks its callers, in sentences. Callers bear members and enumerated values that they do not know, so that
 * an answer may gain them. Throws for a keyword that this comparison does not know, rather than passing over it.
 */
export function schemaBreaks(released: Schema, current: Schema, compared: Compared): string[] {
  const pair = `${released.$ref ?? ""} ${current.$ref ?? ""}`;
  if (compared.within?.includes(pair)) return [];
  const within = released.$ref && current.$ref ? [...(compared.within ?? []), pair] : compared.within;
  const [before, after] = [resolved(released, compared.released), resolved(current, compared.current)];
  for (const schema of [before, after]) refuseUnknown(schema, compared.place);
  const on = { ...compared, ...(within && { within }) };
  return [
    ...aboutType(before, after, on),
    ...aboutValues(before, after, on),
    ...aboutRules(before, after, on),
    ...aboutMembers(before, after, on),
    ...aboutContents(before, after, on),
    ...aboutAlternatives(before, after, on),
  ];
}

function resolved(schema: Schema, schemas: ReadonlyMap<string, Schema>): Schema {
  if (schema.$ref === undefined) return schema;
  const found = schemas.get(schema.$ref);
  if (!found) throw new Error(`${schema.$ref} is nowhere`);
  return found;
}

function refuseUnknown(schema: Schema, place: string): void {
  const strange = Object.keys(schema).find((keyword) => !known.has(keyword) && !keyword.startsWith("x-"));
  if (strange !== undefined) throw new Error(`${place}: the keyword ${strange} is not understood`);
}

const typesOf = ({ type }: Schema): readonly string[] | undefined => (type === undefined ? undefined : [type].flat());
/** Every integer is a number. */
const covers = (types: readonly string[], type: string) =>
  types.includes(type) || (type === "integer" && types.includes("number"));

function aboutType(before: Schema, after: Schema, { direction, place }: Compared): string[] {
  const [wide, narrow] = direction === "sent" ? [typesOf(after), typesOf(before)] : [typesOf(before), typesOf(after)];
  if (wide === undefined) return [];
  if (narrow?.every((type) => covers(wide, type))) return [];
  return [
    `${place} was ${typesOf(before)?.join(" or ") ?? "anything"} and is ${typesOf(after)?.join(" or ") ?? "anything"}`,
  ];
}

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  schema.const === undefined ? schema.enum : [schema.const];

function aboutValues(before: Schema, after: Schema, { direction, place }: Compared): string[] {
  if (direction === "told") return [];
  const [old, left] = [valuesOf(before), valuesOf(after)];
  const gone = left && old ? old.filter((value) => !left.includes(value)) : [];
  const lost = [
    ...(left && !old ? [`${place} takes certain values only`] : []),
    ...gone.map((value) => `${place} no longer takes ${JSON.stringify(value)}`),
  ];
  const same = JSON.stringify(before["default"]) === JSON.stringify(after["default"]);
  return same ? lost : [...lost, `${place} means something else when it is left out`];
}

function aboutRules(before: Schema, after: Schema, { direction, place }: Compared): string[] {
  if (direction === "told") {
    const lost = before["format"] !== undefined && before["format"] !== after["format"];
    return lost ? [`${place} is no longer of the format ${String(before["format"])}`] : [];
  }
  const changed = rules.filter((rule) => after[rule] !== undefined && after[rule] !== before[rule]);
  const tightened = Object.entries(limits).filter(([limit, tighter]) =>
    isTighter(before[limit], after[limit], tighter),
  );
  return [...changed, ...tightened.map(([limit]) => limit)].map((rule) => `${place} has a tighter ${rule}`);
}

function isTighter(before: unknown, after: unknown, tighter: "up" | "down"): boolean {
  if (typeof after !== "number") return false;
  if (typeof before !== "number") return true;
  return tighter === "up" ? after > before : after < before;
}

function aboutMembers(before: Schema, after: Schema, on: Compared): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const isRequired = (schema: Schema, name: string) => schema.required?.includes(name) ?? false;
  const kept = Object.keys(old).filter((name) => now[name]);
  const gone = Object.keys(old).filter((name) => !now[name]);
  const unsure = on.direction === "sent" ? Object.keys(now) : kept;
  const [must, need] = on.direction === "sent" ? [after, before] : [before, after];
  return [
    ...gone.map((name) => `${on.place} no longer has "${name}"`),
    ...unsure
      .filter((name) => isRequired(must, name) && !isRequired(need, name))
      .map((name) => `${on.place} ${on.direction === "sent" ? "now needs" : "may come without"} "${name}"`),
    ...kept.flatMap((name) => schemaBreaks(old[name] ?? {}, now[name] ?? {}, at(on, name))),
  ];
}

const at = (on: Compared, name: string): Compared => ({ ...on, place: `${on.place} ${name}` });

function aboutContents(before: Schema, after: Schema, on: Compared): string[] {
  const both = (name: string, old: unknown, now: unknown) =>
    isSchema(old) && isSchema(now) ? schemaBreaks(old, now, at(on, name)) : [];
  const closed =
    on.direction === "sent" && before.additionalProperties !== false && after.additionalProperties === false;
  return [
    ...(closed ? [`${on.place} no longer takes members of other names`] : []),
    ...both("items", before.items, after.items),
    ...both("values", before.additionalProperties, after.additionalProperties),
    ...both("names", before.propertyNames, after.propertyNames),
  ];
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Alternatives are told apart by their `type` member, as discriminated unions are, else by what they are. */
function aboutAlternatives(before: Schema, after: Schema, on: Compared): string[] {
  const labelled = (schema: Schema, schemas: ReadonlyMap<string, Schema>) =>
    new Map(
      (schema.anyOf ?? schema.oneOf ?? []).map((alternative, i) => [
        labelOf(resolved(alternative, schemas), i),
        alternative,
      ]),
    );
  const [old, now] = [labelled(before, on.released), labelled(after, on.current)];
  const lost = [...old.keys()].filter((label) => !now.has(label));
  const added = [...now.keys()].filter((label) => !old.has(label));
  const isNew = on.direction === "told" && old.size > 0 ? added.filter((label) => !label.startsWith("type ")) : [];
  return [
    ...(on.direction === "sent" ? lost.map((label) => `${on.place} no longer takes the alternative ${label}`) : []),
    ...isNew.map((label) => `${on.place} may be the alternative ${label}, which callers cannot tell apart`),
    ...[...old].flatMap(([label, alternative]) => {
      const other = now.get(label);
      return other ? schemaBreaks(alternative, other, at(on, label)) : [];
    }),
  ];
}

function labelOf(schema: Schema, index: number): string {
  const tag = schema.properties?.["type"];
  const values = tag && valuesOf(tag);
  return values?.length === 1 ? `type ${String(values[0])}` : `${typesOf(schema)?.join(" or ") ?? "any"} ${index}`;
}
