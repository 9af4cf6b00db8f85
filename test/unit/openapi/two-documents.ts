import { breakingChanges } from "../../../infra/openapi/breaking/breaking.ts";
import type { Document, Operation, Schema } from "../../../infra/openapi/breaking/document.ts";

// Small documents to compare: a released one and a current one, of one operation and one webhook.

export interface Parts {
  readonly path?: string;
  readonly pay?: Partial<Operation>;
  readonly webhook?: Partial<Operation>;
  readonly document?: Partial<Document>;
  readonly schemas?: Record<string, Schema>;
}

export const documentOf = ({ path = "/pay", pay, webhook, document, schemas = {} }: Parts = {}): Document => ({
  openapi: "3.1.1",
  info: { version: "1.4.0" },
  servers: [{ url: "/partners" }],
  security: [{ key: [] }],
  paths: { [path]: { post: { operationId: "pay", responses: { "202": {} }, ...pay } } },
  webhooks: { payment: { post: { operationId: "payment", responses: { "2XX": {}, "410": {} }, ...webhook } } },
  components: {
    schemas,
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "Key" },
      renamedKey: { type: "apiKey", in: "header", name: "key" },
      otherKey: { type: "apiKey", in: "header", name: "Other" },
      basic: { type: "http", scheme: "Basic" },
    },
  },
  ...document,
});
export const changes = (released: Parts, current: Parts) => breakingChanges(documentOf(released), documentOf(current));

export const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
export const sent = (schema: Schema, schemas = {}): Parts => ({ pay: { requestBody: json(schema) }, schemas });
export const responded = (schema: Schema, schemas = {}): Parts => ({
  pay: { responses: { "202": json(schema) } },
  schemas,
});

export const text: Schema = { type: "string" };
export const whole: Schema = { type: "integer" };
export const amount: Schema = { type: "number" };
export const map: Schema = { type: "object" };
export const list = (items?: Schema): Schema => ({ type: "array", ...(items && { items }) });
export const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  ...map,
  properties,
  required,
});
export const of = (...anyOf: Schema[]): Schema => ({ anyOf });
export const maybeA = object({ a: text });
export const alwaysA = object({ a: text }, "a");
export const presetA = object({ a: { ...text, default: "x" } });
export const short: Schema = { ...text, maxLength: 8 };
export const uuid: Schema = { ...text, format: "uuid" };
export const uri: Schema = { ...text, format: "uri" };
export const others = (additionalProperties: Schema | boolean): Schema => ({ ...map, additionalProperties });
export const lostA = ' no longer has "a"';
export const one = (type: string, more: Record<string, Schema> = {}) =>
  object({ version: { const: 1 }, type: { const: type }, ...more }, "version", "type");
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const fine = undefined;
export const same = null;
export type Breaks = string | readonly string[] | undefined;
export const sentences = (place: string, breaks: Breaks) => [breaks ?? []].flat().map((rest) => `${place}${rest}`);
