import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingChanges, mayBreak, type Document } from "../../../infra/openapi/breaking/breaking.ts";
import type { Schema } from "../../../infra/openapi/breaking/schema.ts";
import { apiNames } from "../../support/api-documents.ts";

// What breaks a caller of a released document, and what does not. `sent` is a body that callers send, `told` one that they get.

const text: Schema = { type: "string" };
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
});
const media = (schema: Schema) => ({ "application/json": { schema } });

interface Parts {
  readonly sent?: Schema;
  readonly told?: Schema;
  readonly parameters?: NonNullable<Operation["parameters"]>;
  readonly headers?: Record<string, { required?: boolean; schema: Schema }>;
  readonly more?: Partial<Operation>;
  readonly path?: string;
  readonly security?: Document["security"];
  readonly schemas?: Record<string, Schema>;
  readonly webhook?: Schema;
}
type Operation = NonNullable<Document["paths"]>[string][string];

const operation = ({ sent = text, told = text, parameters = [], headers = {}, more }: Parts): Operation => ({
  operationId: "pay",
  parameters,
  requestBody: { content: media(sent) },
  responses: { "202": { headers, content: media(told) } },
  ...more,
});
const documentOf = (parts: Parts = {}): Document => ({
  info: { version: "1.4.0" },
  security: parts.security ?? [{ apikey: [] }],
  paths: { [parts.path ?? "/pay"]: { post: operation(parts) } },
  webhooks: {
    told: { post: { operationId: "told", requestBody: { content: media(parts.webhook ?? text) }, responses: {} } },
  },
  components: { schemas: parts.schemas ?? {} },
});
const changes = (released: Parts, current: Parts) => breakingChanges(documentOf(released), documentOf(current));

const sent = (schema: Schema): Parts => ({ sent: schema });
const told = (schema: Schema): Parts => ({ told: schema });
const limited = (limit: string, value: number): Schema => ({ type: "string", [limit]: value });
const tagged = (...tags: string[]): Schema => ({
  anyOf: tags.map((tag) => object({ type: { type: "string", const: tag } }, ["type"])),
});

describe("a change that breaks callers", () => {
  it.each<[string, Parts, Parts, string]>([
    ["an address that moved", {}, { path: "/pays" }, "moved from POST /pay to POST /pays"],
    [
      "another way to prove oneself",
      {},
      { security: [{ apikey: [], subscriptionKey: [] }] },
      "now needs subscriptionKey",
    ],
    [
      "a body that is now needed",
      {},
      { more: { requestBody: { required: true, content: media(text) } } },
      "the body is now needed",
    ],
    [
      "a parameter that is needed",
      {},
      { parameters: [{ in: "query", name: "of", required: true, schema: text }] },
      "parameter query of is now needed",
    ],
    [
      "a parameter that was not needed",
      { parameters: [{ in: "query", name: "of", schema: text }] },
      { parameters: [{ in: "query", name: "of", required: true, schema: text }] },
      "parameter query of is now needed",
    ],
    [
      "a parameter that is gone",
      { parameters: [{ in: "header", name: "Key", schema: text }] },
      {},
      "parameter header key is gone",
    ],
    ["a member that must be sent", sent(object({})), sent(object({ a: text }, ["a"])), 'the body now needs "a"'],
    [
      "a member that need not have been sent",
      sent(object({ a: text })),
      sent(object({ a: text }, ["a"])),
      'now needs "a"',
    ],
    ["a member that would be ignored", sent(object({ a: text })), sent(object({})), 'no longer has "a"'],
    [
      "a type that is no longer taken",
      sent({ type: ["string", "integer"] }),
      sent(text),
      "was string or integer and is string",
    ],
    ["a number that must be whole", sent({ type: "number" }), sent({ type: "integer" }), "was number and is integer"],
    ["a value that is no longer taken", sent({ enum: ["a", "b"] }), sent({ enum: ["a"] }), 'no longer takes "b"'],
    ["values where anything was taken", sent(text), sent({ type: "string", enum: ["a"] }), "takes certain values only"],
    ["another default", sent({ type: "string", default: "a" }), sent({ type: "string", default: "b" }), "left out"],
    ["a pattern", sent(text), sent({ type: "string", pattern: "^a" }), "tighter pattern"],
    [
      "another format",
      sent({ type: "string", format: "uri" }),
      sent({ type: "string", format: "uuid" }),
      "tighter format",
    ],
    ["a shorter text", sent(limited("maxLength", 9)), sent(limited("maxLength", 8)), "tighter maxLength"],
    ["a limit where there was none", sent(text), sent(limited("maxLength", 8)), "tighter maxLength"],
    ["a longer text", sent(limited("minLength", 1)), sent(limited("minLength", 2)), "tighter minLength"],
    [
      "no more members of other names",
      sent({ type: "object" }),
      sent({ type: "object", additionalProperties: false }),
      "other names",
    ],
    ["an alternative that is no longer taken", sent(tagged("a", "b")), sent(tagged("a")), "alternative type b"],
    [
      "further in",
      sent(object({ a: { type: "array", items: object({ b: text }) } })),
      sent(object({ a: { type: "array", items: object({}) } })),
      'the body a items no longer has "b"',
    ],
    [
      "an answer of a status that is gone",
      { more: { responses: { ...operation({}).responses, "204": {} } } },
      {},
      "response 204 is gone",
    ],
    [
      "a success of another status",
      {},
      { more: { responses: { ...operation({}).responses, "200": { content: media(text) } } } },
      "the response may now be 200",
    ],
    [
      "an answer of another content type",
      {},
      { more: { responses: { "202": { content: { "text/plain": { schema: text } } } } } },
      "no longer application/json",
    ],
    [
      "a header that is gone",
      { headers: { "X-Id": { required: true, schema: text } } },
      {},
      "no longer has the header X-Id",
    ],
    [
      "a header that may be missing",
      { headers: { "X-Id": { required: true, schema: text } } },
      { headers: { "x-id": { schema: text } } },
      "may come without the header X-Id",
    ],
    ["a member that is gone", told(object({ a: text })), told(object({})), '202 no longer has "a"'],
    [
      "a member that may be missing",
      told(object({ a: text }, ["a"])),
      told(object({ a: text })),
      'may come without "a"',
    ],
    ["a type that was never told", told(text), told({ type: ["string", "null"] }), "was string and is string or null"],
    [
      "a number that need not be whole",
      told({ type: "integer" }),
      told({ type: "number" }),
      "was integer and is number",
    ],
    [
      "a format that no longer holds",
      told({ type: "string", format: "date-time" }),
      told(text),
      "no longer of the format date-time",
    ],
    [
      "an alternative that cannot be told apart",
      told({ anyOf: [text] }),
      told({ anyOf: [text, { type: "object" }] }),
      "cannot tell apart",
    ],
    [
      "a webhook's member that is gone",
      { webhook: object({ a: text }) },
      { webhook: object({}) },
      'told: the body no longer has "a"',
    ],
    [
      "behind a reference",
      { ...told({ $ref: "#/components/schemas/A" }), schemas: { A: object({ a: text }) } },
      { ...told({ $ref: "#/components/schemas/A" }), schemas: { A: object({}) } },
      'no longer has "a"',
    ],
  ])("%s", (_, released, current, sentence) => {
    const found = changes(released, current);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(sentence);
  });

  it("is an operation, or a webhook, that is gone", () => {
    const nothing = { ...documentOf(), paths: {}, webhooks: {} };
    expect(breakingChanges(documentOf(), nothing)).toEqual(["pay is gone", "told is gone"]);
  });
});

describe("a change that breaks nobody", () => {
  it.each<[string, Parts, Parts]>([
    ["none", {}, {}],
    ["a way to prove oneself that is no longer needed", { security: [{ a: [], b: [] }] }, { security: [{ a: [] }] }],
    ["a parameter that may be left out", {}, { parameters: [{ in: "query", name: "of", schema: text }] }],
    ["a member that may be sent", sent(object({})), sent(object({ a: text }))],
    ["a member that need no longer be sent", sent(object({ a: text }, ["a"])), sent(object({ a: text }))],
    ["a wider type", sent({ type: "integer" }), sent({ type: "number" })],
    ["another value that is taken", sent({ enum: ["a"] }), sent({ enum: ["a", "b"] })],
    ["a looser limit", sent(limited("maxLength", 8)), sent(limited("maxLength", 9))],
    ["no limit", sent(limited("minLength", 1)), sent(text)],
    ["no pattern", sent({ type: "string", pattern: "^a" }), sent(text)],
    ["another alternative that is taken", sent(tagged("a")), sent(tagged("a", "b"))],
    ["a member more in an answer", told(object({})), told(object({ a: text }, ["a"]))],
    ["a member that is always there now", told(object({ a: text })), told(object({ a: text }, ["a"]))],
    ["a value that answers did not have", told({ enum: ["a"] }), told({ enum: ["a", "b"] })],
    ["an alternative that is told apart by its type", told(tagged("a")), told(tagged("a", "b"))],
    ["a header more", {}, { headers: { "X-Id": { schema: text } } }],
    ["another problem", {}, { more: { responses: { ...operation({}).responses, "409": { content: media(text) } } } }],
    [
      "other words",
      sent({ type: "string", description: "a", example: "a" }),
      sent({ type: "string", description: "b", "x-note": 1 }),
    ],
    [
      "a schema by another name",
      { ...told({ $ref: "#/components/schemas/A" }), schemas: { A: text } },
      { ...told({ $ref: "#/components/schemas/B" }), schemas: { B: text } },
    ],
    [
      "none in a schema within itself",
      {
        ...told({ $ref: "#/components/schemas/A" }),
        schemas: { A: object({ a: { $ref: "#/components/schemas/A" } }) },
      },
      {
        ...told({ $ref: "#/components/schemas/A" }),
        schemas: { A: object({ a: { $ref: "#/components/schemas/A" } }) },
      },
    ],
  ])("%s", (_, released, current) => {
    expect(changes(released, current)).toEqual([]);
  });

  it("is another operation", () => {
    const more = {
      ...documentOf(),
      paths: { ...documentOf().paths, "/more": { get: { operationId: "more", responses: {} } } },
    };
    expect(breakingChanges(documentOf(), more)).toEqual([]);
  });
});

it("a keyword that the comparison does not know stops it", () => {
  expect(() => changes(told(text), told({ not: text }))).toThrow(
    "pay: the response 202: the keyword not is not understood",
  );
});

describe("the current documents", () => {
  const read = (path: string) =>
    JSON.parse(readFileSync(new URL(`../../../docs/openapi/${path}`, import.meta.url), "utf8")) as Document;

  it.each(apiNames)(
    "of %s break no caller of those released, or have a higher major version (else: npm run openapi:release)",
    (name) => {
      const [released, current] = [read(`released/${name}.json`), read(`${name}.json`)];
      expect(mayBreak(released, current) ? [] : breakingChanges(released, current)).toEqual([]);
    },
  );

  it("may break callers with a higher major version only", () => {
    const version = (version: string) => ({ ...documentOf(), info: { version } });
    expect(mayBreak(version("1.9.0"), version("2.0.0"))).toBe(true);
    for (const other of ["1.9.0", "1.10.0", "0.9.0"]) expect(mayBreak(version("1.9.0"), version(other))).toBe(false);
  });
});
