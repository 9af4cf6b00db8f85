import type { Schema, Schemas } from "./openapi.ts";

/** A member of a body, or a parameter. */
export interface Field {
  readonly name: string;
  /** "UUID", "number", "list of objects". */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The limits of a value: "at most 128 characters", "30 to 300". */
  readonly limits: readonly string[];
  /** The possible values, if there are few. */
  readonly values: readonly string[];
  /** The members of the object, or of each object in the list. */
  readonly inner: readonly Field[];
}

/** The forms of a value, each with its members. Most values have one form, without a name. */
export type Shape = readonly { readonly name: string; readonly fields: readonly Field[] }[];

/** Deeper than any body of the documents. */
const MAX_DEPTH = 8;

export function shapeOf(schema: Schema, schemas: Schemas): Shape {
  const found = followed(schema, schemas);
  const forms = found.anyOf ?? found.oneOf;
  if (!forms) return [{ name: "", fields: membersOf(found, schemas, 0) }];
  return forms.map((form) => ({ name: nameOf(form), fields: membersOf(followed(form, schemas), schemas, 0) }));
}

const nameOf = ({ $ref = "" }: Schema): string => $ref.split("/").at(-1) ?? "";

const followed = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : { ...schemas[nameOf(schema)], ...schema };

function membersOf({ properties = {}, required = [] }: Schema, schemas: Schemas, depth: number): readonly Field[] {
  if (depth > MAX_DEPTH) return [];
  return Object.entries(properties).map(([name, member]) => {
    const schema = followed(member, schemas);
    const within = schema.items ? followed(schema.items, schemas) : schema;
    return {
      name,
      type: typeOf(schema, within),
      isRequired: required.includes(name),
      description: schema.description ?? "",
      limits: limitsOf(schema),
      values: schema.enum ?? within.enum ?? [],
      inner: membersOf(within, schemas, depth + 1),
    };
  });
}

const byFormat: Readonly<Record<string, string>> = { uuid: "UUID", "date-time": "time", uri: "URL", email: "e-mail" };

function typeOf(schema: Schema, within: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.items) return `list of ${within.properties ? "objects" : `${typeOf(within, within)}s`}`;
  return byFormat[schema.format ?? ""] ?? schema.type ?? "any value";
}

function limitsOf(schema: Schema): readonly string[] {
  const { minLength, maxLength, maxItems, exclusiveMinimum, default: usual } = schema;
  return [
    lengthLimit(minLength, maxLength),
    rangeLimit(schema),
    exclusiveMinimum === undefined ? "" : `more than ${exclusiveMinimum}`,
    maxItems === undefined ? "" : `at most ${maxItems}`,
    usual === undefined ? "" : `${JSON.stringify(usual)} when left out`,
  ].filter((text) => text !== "");
}

function lengthLimit(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return "";
  return min === undefined || min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`;
}

function rangeLimit({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined && minimum !== 0) return `${minimum} or more`;
  return maximum === undefined ? "" : `at most ${maximum}`;
}
