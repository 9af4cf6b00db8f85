import type { MemberView } from "./views/operations.ts";

/** The part of JSON Schema that the documents use for a body's members. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly "x-extensible-enum"?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** The members of a body, including those of objects within it. A body with several forms has the members of all forms, each once. */
export function membersOfBody(schema: Schema, schemas: Schemas): readonly MemberView[] {
  const found = followed(schema, schemas);
  const under = membersIn(schemas);
  if (!found.anyOf) return under("", found);
  const forms = found.anyOf.map((form) => under("", followed(form, schemas)));
  return [...Map.groupBy(forms.flat(), ({ path }) => path).values()].flatMap((same) => merged(same, forms.length));
}

const membersIn = (schemas: Schemas) =>
  function under(path: string, { properties = {}, required = [] }: Schema): readonly MemberView[] {
    return Object.entries(properties).flatMap(([name, named]) => {
      const member = followed(named, schemas);
      return member.properties
        ? under(`${path}${name}.`, { ...member, required: [] }) // the object itself is optional
        : [memberView(path + name, member, required.includes(name))];
    });
  };

function followed(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

function memberView(path: string, schema: Schema, isRequired: boolean): MemberView {
  const { type = "", description = "" } = schema;
  const values =
    type === "boolean"
      ? ["true", "false"]
      : (schema["x-extensible-enum"] ?? schema.enum ?? (schema.const ? [schema.const] : []));
  return { path, kind: kindOf(type), description, isRequired, choices: values.map((value) => [value, value]) };
}

function kindOf(type: string): MemberView["kind"] {
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  return type === "string" ? "text" : "json";
}

/** Merges a member that several forms of a body have. It is required if every form requires it. */
function merged(same: readonly MemberView[], forms: number): readonly MemberView[] {
  const [first] = same;
  if (!first) return [];
  const choices = [...new Map(same.flatMap(({ choices }) => choices))];
  return [{ ...first, choices, isRequired: same.length === forms && same.every(({ isRequired }) => isRequired) }];
}
