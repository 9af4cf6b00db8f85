import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importedApis } from "../../../infra/documents/openapi/imported-apis.ts";

// The import of an OpenAPI document by API Management. It refuses, drops or changes unsupported parts. Each rule finds nothing in our
// documents, and something in a document that breaks it.

interface Node {
  readonly [key: string]: unknown;
}
interface Place {
  readonly path: readonly string[];
  readonly key: string;
  readonly value: unknown;
}
type Security = readonly Readonly<Record<string, readonly string[]>>[];
interface Operation extends Node {
  readonly operationId?: string;
  readonly security?: Security;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Media };
  readonly responses: Record<string, { readonly content?: Media }>;
}
type Media = Record<string, { readonly schema?: Node }>;
interface Document extends Node {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly security?: Security;
  readonly components: {
    readonly schemas: Record<string, Node>;
    readonly securitySchemes?: Record<string, { readonly type: string; readonly name: string }>;
  };
}

function* places(value: unknown, path: readonly string[] = []): Generator<Place> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    // The content of `example` is data, and the names in `properties` may be any word.
    if (!path.includes("example")) yield { path, key, value: part };
    yield* places(part, [...path, key]);
  }
}
const isKeyword = ({ path }: Place) => path.at(-1) !== "properties" && path.at(-1) !== "schemas";
const keywords = (document: Document) => [...places(document)].filter(isKeyword);
const shown = ({ path, key }: Place) => [...path, key].join("/");
const refs = (value: unknown): string[] =>
  [...places(value)].filter(({ key }) => key === "$ref").map(({ value }) => String(value));

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
const mediaOf = ({ requestBody, responses }: Operation) =>
  [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].flatMap((content) =>
    Object.entries(content ?? {}),
  );

/** The keys that an operation needs, except the key that API Management adds. */
const keysOf = ({ security, components }: Document, operation: Operation): string[] =>
  (operation.security ?? security ?? [])
    .flatMap((schemes) => Object.keys(schemes))
    .flatMap((scheme) => components.securitySchemes?.[scheme] ?? [])
    .filter(({ type, name }) => type === "apiKey" && name !== "Ocp-Apim-Subscription-Key")
    .map(({ name }) => name);

/** The recursive schemas. */
function recursive({ components }: Document): string[] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    refs(components.schemas[from]).some((ref) => {
      const name = ref.split("/").at(-1) ?? "";
      if (name === to) return true;
      if (seen.has(name)) return false;
      seen.add(name);
      return reaches(name, to, seen);
    });
  return Object.keys(components.schemas).filter((name) => reaches(name, name));
}

const MIB = 1024 * 1024;
const anId = { type: "string" };
const [aPath, anotherPath] = ["/pos-payment-request", "/pos-payment/{session_id}"];

/** A rule: it finds violations, and comes with a change to the partners' document that violates it. */
type Rule = readonly [string, (document: Document) => readonly string[], (document: Spoilable) => void];
// oxlint-disable-next-line typescript/no-explicit-any -- a test spoils whatever place it likes
type Spoilable = any;

const rules: readonly Rule[] = [
  ["it is OpenAPI 3.0.3", ({ openapi }) => (openapi === "3.0.3" ? [] : [openapi]), (d) => (d.openapi = "3.1.1")],
  [
    "it fits Bicep's loadJsonContent, 1 MiB",
    (document) => (Buffer.byteLength(JSON.stringify(document, null, 2)) <= MIB ? [] : ["too large"]),
    (d) => (d.info.description = "x".repeat(MIB)),
  ],
  [
    "it names no server: the gateway's path and the backend's address are the deployment's",
    (document) => ("servers" in document ? ["servers"] : []),
    (d) => (d.servers = [{ url: "/" }]),
  ],
  [
    "every operation has an operationId in kebab case, of up to 76 characters: it becomes the operation's resource name",
    (document) =>
      operationsOf(document)
        .map(({ operation }) => operation.operationId ?? "none")
        .filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id) || id === "none" || id.length > 76),
    (d) => (d.paths[aPath].post.operationId = "posPaymentRequest"),
  ],
  [
    "no two operations have the same operationId",
    (document) => {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId ?? "");
      return ids.filter((id, i) => ids.indexOf(id) !== i);
    },
    (d) => (d.paths[aPath].post.operationId = "pos-payment-cancel"),
  ],
  [
    "of the components only schemas are used; security schemes are ignored",
    ({ components }) => Object.keys(components).filter((kind) => kind !== "schemas" && kind !== "securitySchemes"),
    (d) => (d.components.parameters = {}),
  ],
  [
    "every $ref is of a schema in the document itself",
    (document) => refs(document).filter((ref) => !ref.startsWith("#/components/schemas/")),
    (d) => (d.paths[aPath].post.responses["202"] = { $ref: "https://example.com/answers.json#/accepted" }),
  ],
  [
    "no schema leads back to itself",
    recursive,
    (d) => (d.components.schemas.Refund.properties.of = { $ref: "#/components/schemas/Payment" }),
  ],
  [
    "schemas of bodies are named, never inline",
    (document) =>
      operationsOf(document).flatMap(({ path, operation }) =>
        mediaOf(operation)
          .filter(([, { schema }]) => schema?.["$ref"] === undefined)
          .map(() => path),
      ),
    (d) => (d.paths[aPath].post.requestBody.content["application/json"].schema = { type: "object" }),
  ],
  [
    "there is `example`, and never `examples`",
    (document) =>
      keywords(document)
        .filter(({ key }) => key === "examples")
        .map(shown),
    (d) => (d.paths[aPath].post.requestBody.content["application/json"].examples = {}),
  ],
  [
    "bodies are JSON, and files CSV",
    (document) =>
      operationsOf(document)
        .flatMap(({ operation }) => mediaOf(operation).map(([type]) => type))
        .filter((type) => type !== "application/json" && type !== "text/csv"),
    (d) =>
      (d.paths[aPath].post.requestBody.content["multipart/form-data"] = {
        schema: { $ref: "#/components/schemas/Card" },
      }),
  ],
  [
    "no GET has a body: it would be dropped",
    (document) =>
      operationsOf(document)
        .filter(({ method, operation }) => method === "get" && operation.requestBody)
        .map(({ path }) => path),
    (d) => (d.paths[anotherPath].get.requestBody = d.paths[aPath].post.requestBody),
  ],
  [
    "parameters of path and query have different names, in whatever case",
    (document) =>
      operationsOf(document).flatMap(({ operation: { parameters = [] } }) => {
        const names = parameters.filter(({ in: place }) => place !== "header").map(({ name }) => name.toLowerCase());
        return names.filter((name, i) => names.indexOf(name) !== i);
      }),
    (d) => d.paths[anotherPath].get.parameters.push({ in: "query", name: "Session_ID", schema: anId }),
  ],
  [
    "the path's template and its parameters name the same",
    (document) =>
      operationsOf(document)
        .filter(({ path, operation: { parameters = [] } }) => {
          const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
          const declared = parameters.filter(({ in: place }) => place === "path").map(({ name }) => name);
          return named.length !== declared.length || named.some((name) => !declared.includes(name));
        })
        .map(({ path }) => path),
    (d) => (d.paths[anotherPath].get.parameters = []),
  ],
  [
    "no query parameter is required: it would become part of the address",
    (document) =>
      operationsOf(document)
        .flatMap(({ operation }) => operation.parameters ?? [])
        .filter(({ in: place, required }) => place === "query" && required)
        .map(({ name }) => name),
    (d) => d.paths[anotherPath].get.parameters.push({ in: "query", name: "depth", required: true, schema: anId }),
  ],
  [
    "the keys of ignored security schemes are required headers: the developer portal has a field for them",
    (document) =>
      operationsOf(document).flatMap(({ path, operation }) =>
        keysOf(document, operation)
          .filter(
            (key) => !operation.parameters?.some((one) => one.in === "header" && one.name === key && one.required),
          )
          .map((key) => `${path} lacks ${key}`),
      ),
    (d) => (d.paths[aPath].post.parameters[0].required = false),
  ],
  [
    "no parameter is a header that OpenAPI ignores as one",
    (document) =>
      operationsOf(document)
        .flatMap(({ operation }) => operation.parameters ?? [])
        .filter(({ in: place, name }) => place === "header" && /^(?:accept|content-type|authorization)$/i.test(name))
        .map(({ name }) => name),
    (d) => d.paths[anotherPath].get.parameters.push({ in: "header", name: "Authorization", schema: anId }),
  ],
  [
    "there are no extensions: they would be dropped",
    (document) =>
      keywords(document)
        .filter(({ key }) => key.startsWith("x-"))
        .map(shown),
    (d) => (d.paths[aPath].post["x-scope"] = "payments"),
  ],
  [
    "there are no webhooks, callbacks and links",
    (document) =>
      keywords(document)
        .filter(({ key }) => ["webhooks", "callbacks", "links"].includes(key))
        .map(shown),
    (d) => (d.webhooks = {}),
  ],
];

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../infra/azure/apim/openapi/${name}.json`, import.meta.url), "utf8"),
  ) as Document;

describe.each(rules)("API Management's rule: %s", (_, offences, spoil) => {
  it.each([...importedApis.map(({ id }) => id), "probes"])("holds for the %s document", (name) => {
    expect(offences(read(name))).toEqual([]);
  });

  it("is broken by a document that breaks it", () => {
    const document = read("partners");
    spoil(document);
    expect(offences(document)).not.toEqual([]);
  });
});
