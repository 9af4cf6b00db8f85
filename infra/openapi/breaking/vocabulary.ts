import { limits } from "./limits.ts";

// The vocabulary is closed: a keyword that is not listed here stops the comparison, because it could break a caller unnoticed.

interface Part {
  /** Keywords whose value is compared as a whole, or has no meaning for a program. */
  readonly plain: readonly string[];
  /** Keywords that contain one other part. */
  readonly one?: Readonly<Record<string, PartName>>;
  /** Keywords that contain several parts, in a list or by name. */
  readonly many?: Readonly<Record<string, PartName>>;
}
type PartName =
  | "document"
  | "components"
  | "securityScheme"
  | "pathItem"
  | "operation"
  | "parameter"
  | "header"
  | "body"
  | "response"
  | "media"
  | "schema"
  | "schemaOrBoolean"
  | "server";

const words = ["summary", "description", "example", "examples", "deprecated", "externalDocs"];
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

const schema: Part = {
  plain: ["$ref", "type", "required", "enum", "const", "default", "title", "discriminator", ...words, ...limits],
  one: { items: "schema", additionalProperties: "schemaOrBoolean", propertyNames: "schema" },
  many: { properties: "schema", anyOf: "schema", oneOf: "schema", allOf: "schema" },
};

const parts: Readonly<Record<PartName, Part>> = {
  document: {
    plain: ["openapi", "info", "security", "tags", "externalDocs"],
    one: { components: "components" },
    many: { servers: "server", paths: "pathItem", webhooks: "pathItem" },
  },
  server: { plain: ["url", ...words] },
  components: { plain: ["examples"], many: { schemas: "schema", securitySchemes: "securityScheme" } },
  securityScheme: { plain: ["type", "in", "name", "scheme", "bearerFormat", ...words] },
  pathItem: { plain: [], one: Object.fromEntries(methods.map((method) => [method, "operation"])) },
  operation: {
    plain: ["operationId", "tags", "security", ...words],
    one: { requestBody: "body" },
    many: { parameters: "parameter", responses: "response" },
  },
  parameter: { plain: ["in", "name", "required", ...words], one: { schema: "schema" } },
  header: { plain: ["required", ...words], one: { schema: "schema" } },
  body: { plain: ["required", ...words], many: { content: "media" } },
  response: { plain: words, many: { headers: "header", content: "media" } },
  media: { plain: words, one: { schema: "schema" } },
  schema,
  schemaOrBoolean: schema,
};

/** Throws for the first keyword in a document that the comparison does not know, and for a document that is not OpenAPI 3.1. */
export function refuseUnknown(document: { readonly openapi: string }): void {
  if (!document.openapi.startsWith("3.1.")) throw new Error(`OpenAPI ${document.openapi} is not understood`);
  refuseUnknownIn(document, "document", "the document");
}

function refuseUnknownIn(value: unknown, name: PartName, place: string): void {
  if (name === "schemaOrBoolean" && typeof value === "boolean") return;
  if (typeof value !== "object" || value === null) throw new Error(`${place}: ${String(value)} is not understood`);
  for (const [keyword, inner] of Object.entries(value)) refuseUnknownUnder(keyword, inner, parts[name], place);
}

/** Continues in the parts that the keyword contains. */
function refuseUnknownUnder(keyword: string, inner: unknown, part: Part, place: string): void {
  const { plain, one = {}, many = {} } = part;
  const at = `${place} › ${keyword}`;
  const [single, several] = [one[keyword], many[keyword]];
  if (single) return refuseUnknownIn(inner, single, at);
  if (several) {
    for (const [key, each] of Object.entries(inner as object)) refuseUnknownIn(each, several, `${at} › ${key}`);
    return;
  }
  const isKnown = plain.includes(keyword) || keyword.startsWith("x-");
  if (!isKnown) throw new Error(`${place}: the keyword ${keyword} is not understood`);
}
