import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { documentedOperations, type DocumentedOperation } from "../support/api-documents.ts";

// The requests that the documents allow, operation by operation. A new operation is tried as soon as it is documented.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}
/** A member that a body may have, at any depth. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
}
export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}
export interface Target extends DocumentedOperation {
  readonly fields: readonly Field[];
  readonly parameters: readonly Parameter[];
  /** Whether the document allows this body. */
  readonly allows: (body: unknown) => boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly schema: Schema } } };
}

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);

/** Every operation of the documents. */
export const targets: readonly Target[] = documentedOperations.map((documented) => {
  const document = documentOf(documented.api);
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === documented.operationId);
  if (!operation) throw new Error(`${documented.operationId} is in no document`);
  const schema = operation.requestBody?.content["application/json"].schema;
  return {
    ...documented,
    parameters: operation.parameters ?? [],
    fields: schema ? fieldsOf(document, schema, []) : [],
    allows: schema ? allowedBy(ajv.compile({ ...schema, components: document.components })) : () => true,
  };
});

/** A member that is null counts as left out. */
function allowedBy(validate: (body: unknown) => unknown): Target["allows"] {
  return (body) => validate(withoutNulls(body)) === true;
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

function documentOf(api: string): Document {
  return JSON.parse(readFileSync(new URL(`../../docs/openapi/${api}.json`, import.meta.url), "utf8")) as Document;
}

function fieldsOf(document: Document, schema: Schema, path: readonly string[]): readonly Field[] {
  if (path.length > 4) return [];
  const { $ref, properties = {}, allOf = [], anyOf = [], oneOf = [] } = schema;
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.split("/").at(-1) ?? ""];
  const members = Object.entries(properties).flatMap(([name, member]) => [
    { path: [...path, name], schema: member },
    ...fieldsOf(document, member, [...path, name]),
  ]);
  const parts = [...(named ? [named] : []), ...allOf, ...anyOf, ...oneOf];
  return [...members, ...parts.flatMap((part) => fieldsOf(document, part, path))];
}
