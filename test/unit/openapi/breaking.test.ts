import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingChanges, mayBreak } from "../../../infra/openapi/breaking/breaking.ts";
import type { Document, Operation, Schema } from "../../../infra/openapi/breaking/document.ts";
import { apiNames } from "../../support/api-documents.ts";

// What breaks a caller of a released document, and what does not.

interface Parts {
  readonly path?: string;
  readonly pay?: Partial<Operation>;
  readonly webhook?: Partial<Operation>;
  readonly document?: Partial<Document>;
  readonly schemas?: Record<string, Schema>;
}

const documentOf = ({ path = "/pay", pay, webhook, document, schemas = {} }: Parts = {}): Document => ({
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
const changes = (released: Parts, current: Parts) => breakingChanges(documentOf(released), documentOf(current));

const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
const sent = (schema: Schema, schemas = {}): Parts => ({ pay: { requestBody: json(schema) }, schemas });
const told = (schema: Schema, schemas = {}): Parts => ({ pay: { responses: { "202": json(schema) } }, schemas });

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const amount: Schema = { type: "number" };
const map: Schema = { type: "object" };
const list = (items?: Schema): Schema => ({ type: "array", ...(items && { items }) });
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  ...map,
  properties,
  required,
});
const of = (...anyOf: Schema[]): Schema => ({ anyOf });
const maybeA = object({ a: text });
const alwaysA = object({ a: text }, "a");
const presetA = object({ a: { ...text, default: "x" } });
const short: Schema = { ...text, maxLength: 8 };
const uuid: Schema = { ...text, format: "uuid" };
const uri: Schema = { ...text, format: "uri" };
const others = (additionalProperties: Schema | boolean): Schema => ({ ...map, additionalProperties });
const lostA = ' no longer has "a"';
const one = (type: string, more: Record<string, Schema> = {}) =>
  object({ version: { const: 1 }, type: { const: type }, ...more }, "version", "type");
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const fine = undefined;
const same = null;
type Breaks = string | readonly string[] | undefined;
const sentences = (place: string, breaks: Breaks) => [breaks ?? []].flat().map((rest) => `${place}${rest}`);

describe("of a schema, sent and told", () => {
  // Before, after, and what that breaks where callers send it, and where they are told it (or breaks there too).
  it.each<[string, Schema, Schema, Breaks, Breaks | null]>([
    ["nothing", one("a"), one("a"), fine, fine],
    ["words", { ...text, description: "a" }, { ...text, description: "b", examples: ["c"], "x-d": 1 }, fine, fine],

    ["a member more", map, maybeA, fine, fine],
    ["a member more that is there always", map, alwaysA, ' now needs "a"', fine],
    ["a member less", maybeA, map, lostA, same],
    ["a member of an inherited name", object({ toString: text }), map, ' no longer has "toString"', same],
    ["a member always", maybeA, alwaysA, ' now needs "a"', fine],
    ["a member at times", alwaysA, maybeA, fine, ' may come without "a"'],
    ["a member of no schema always", map, { ...map, required: ["a"] }, ' now needs "a"', fine],
    ["a default", maybeA, presetA, ' takes a missing "a" as "x", no longer as none', fine],
    ["no default", presetA, maybeA, ' takes a missing "a" as none, no longer as "x"', fine],
    ["a default of what was needed", alwaysA, presetA, fine, ' may come without "a"'],

    ["another type", text, whole, " was string and is integer", same],
    ["any type", text, {}, fine, " was string and is anything"],
    ["one type", {}, text, " was anything and is string", fine],
    ["a type more", text, { type: ["string", "null"] }, fine, " may now be null"],
    ["a type less", { type: ["string", "null"] }, text, " no longer takes null", fine],
    ["fractions", whole, amount, fine, " was integer and is number"],
    ["no fractions", amount, whole, " was number and is integer", fine],
    ["the type of its values", { ...text, const: "a" }, { const: "a" }, fine, fine],

    ["a value more", { enum: ["a"] }, { enum: ["a", "b"] }, fine, fine],
    ["a value less", { enum: ["a", "b"] }, { const: "a" }, ' no longer takes "b"', fine],
    ["another value", { const: "a" }, { const: "b" }, ' no longer takes "a"', fine],
    ["certain values", text, { ...text, enum: ["a"] }, " takes certain values only", fine],
    ["any value", { ...text, enum: ["a"] }, text, fine, fine],
    ["null among the values", { enum: ["a"] }, { enum: ["a", null] }, fine, " may now be null"],

    ["a pattern", text, { ...text, pattern: "^a" }, " has a tighter pattern", fine],
    ["another pattern", { ...text, pattern: "^a" }, { ...text, pattern: "^b" }, " has a tighter pattern", fine],
    ["no pattern", { ...text, pattern: "^a" }, text, fine, fine],
    ["a format", text, uuid, " has a tighter format", fine],
    ["another format", uri, uuid, " has a tighter format", ' is no longer of the format "uri"'],
    ["no format", uuid, text, fine, ' is no longer of the format "uuid"'],

    ["items of a type", list(), list(text), " › items was anything and is string", fine],
    ["items of any type", list(text), list(), fine, " › items was string and is anything"],
    ["no other members", map, others(false), " no longer has members of other names", fine],
    ["other members", others(false), others(true), fine, fine],
    ["other members still not", others(false), others(false), fine, fine],
    ["other members of a type at last", others(false), others(text), fine, fine],
    ["other members of a type", others(true), others(text), " › other members was anything and is string", fine],
    ["other members of any type", others(text), map, fine, " › other members was string and is anything"],
    ["no other members of a type", others(text), others(false), " no longer has members of other names", same],
    ["shorter names", map, { ...map, propertyNames: short }, " › names has a tighter maxLength", fine],
    ["longer names", { ...map, propertyNames: short }, map, fine, fine],
    [
      "further in",
      object({ a: list(object({ b: text })) }),
      object({ a: list(map) }),
      ' › "a" › items no longer has "b"',
      same,
    ],

    ["an alternative more", of(text, whole), of({ type: "null" }, text, whole), fine, " may now be null"],
    ["an alternative less", of(text, whole), of(whole), " no longer takes string", fine],
    ["alternatives in another order", of(text, whole), { oneOf: [whole, text] }, fine, fine],
    ["alternatives as types", of(text, { type: "null" }), { type: ["string", "null"] }, fine, fine],
    [
      "other alternatives",
      text,
      of(whole, { type: "boolean" }),
      " no longer takes string",
      [" may now be integer", " may now be boolean"],
    ],
    ["an alternative instead", text, of(whole), " was string and is integer", same],
    [
      "an alternative of its kind",
      of(text, maybeA),
      of(text, maybeA, object({ b: whole }, "b")),
      fine,
      ' › object no longer has "a"',
    ],
    ["within an alternative", of(text, whole), of(short, whole), " › string has a tighter maxLength", fine],
    ["a tagged alternative more", of(one("a"), one("b")), of(one("c"), one("a"), one("b")), fine, fine],
    [
      "one whose tag may be missing",
      of(one("a"), one("b")),
      of(one("a"), one("b"), object({ type: { const: "c" } })),
      fine,
      [' › object no longer has "version"', ' › object may come without "type"'],
    ],
    ["a tagged alternative less", of(one("a"), one("b")), of(one("b")), ' no longer takes type "a"', fine],
    [
      "within a tagged alternative",
      of(one("a", { x: text }), one("b")),
      of(one("b"), one("a")),
      ' › type "a" no longer has "x"',
      same,
    ],
    ["an object beside text", text, of(text, one("a")), fine, " may now be object"],
    ["tagged ones", text, of(text, one("a"), one("b")), fine, [' may now be type "a"', ' may now be type "b"']],

    [
      "what is joined",
      object({ a: text, b: text }, "a", "b"),
      { allOf: [alwaysA, object({ b: text }, "b")] },
      fine,
      fine,
    ],
    ["a member of what is joined", { allOf: [map, maybeA] }, { allOf: [map] }, lostA, same],
    ["types that are joined", whole, { allOf: [amount, whole] }, fine, fine],
    ["types of which one can be joined", whole, { allOf: [of(text, amount), whole] }, fine, fine],
    [
      "a member said twice",
      maybeA,
      { allOf: [maybeA, object({ a: { pattern: "^a" } })] },
      ' › "a" has a tighter pattern',
      fine,
    ],
  ])("%s", (_, before, after, whenSent, whenTold) => {
    expect(changes(sent(before), sent(after))).toEqual(sentences("pay: the body", whenSent));
    expect(changes(told(before), told(after))).toEqual(
      sentences("pay: the response 202", whenTold === same ? whenSent : whenTold),
    );
  });
});

describe("of a limit", () => {
  it.each<[string, Schema, Schema]>([
    ["minLength", { ...text, minLength: 2 }, { ...text, minLength: 1 }],
    ["maxLength", short, { ...text, maxLength: 9 }],
    ["minItems", { ...list(), minItems: 2 }, { ...list(), minItems: 1 }],
    ["maxItems", { ...list(), maxItems: 8 }, list()],
    ["maxItems", { ...list(), maxItems: 8 }, { ...list(), maxItems: 9 }],
    ["minimum", { ...amount, minimum: 1 }, { ...amount, minimum: 0 }],
    ["minimum", { ...amount, exclusiveMinimum: 0 }, { ...amount, minimum: 0 }],
    ["minimum", { ...whole, minimum: 2 }, { ...whole, exclusiveMinimum: 0 }],
    ["maximum", { ...amount, maximum: 8 }, { ...amount, maximum: 9 }],
    ["maximum", { ...amount, exclusiveMaximum: 9 }, { ...amount, maximum: 9 }],
    ["maximum", { ...whole, maximum: 8 }, { ...whole, exclusiveMaximum: 10 }],
    ["multipleOf", { ...amount, multipleOf: 0.1 }, { ...amount, multipleOf: 0.01 }],
    ["multipleOf", { ...amount, multipleOf: 5 }, amount],
  ])("%s, only the tighter breaks those who send", (limit, tighter, looser) => {
    expect(changes(sent(looser), sent(tighter))).toContain(`pay: the body has a tighter ${limit}`);
    expect(changes(sent(tighter), sent(looser))).toEqual([]);
    expect(changes(told(tighter), told(looser))).toEqual([]);
  });

  it("as much by another keyword breaks nobody", () => {
    const [from, above] = [sent({ ...whole, minimum: 1 }), sent({ ...whole, exclusiveMinimum: 0 })];
    expect([...changes(from, above), ...changes(above, from)]).toEqual([]);
  });
});

describe("of a reference", () => {
  const aliased = (schema: Schema) => sent(ref("A"), { A: ref("B"), B: schema });
  const within = (schema: Schema) => told(ref("A"), { A: object({ next: ref("A"), a: schema }) });

  it.each<[string, Parts, Parts, string | undefined]>([
    ["another name", sent(ref("A"), { A: text }), sent(ref("B"), { B: text }), fine],
    ["a name for what had none", sent(text), sent(ref("A"), { A: text }), fine],
    [
      "what it refers to",
      sent(ref("A"), { A: text }),
      sent(ref("A"), { A: whole }),
      "the body was string and is integer",
    ],
    ["what an alias refers to", aliased(text), aliased(whole), "the body was string and is integer"],
    [
      "what is said beside it",
      sent(ref("A"), { A: text }),
      sent({ ...ref("A"), maxLength: 8 }, { A: text }),
      "the body has a tighter maxLength",
    ],
    ["what is within itself", within(text), within(whole), 'the response 202 › "a" was string and is integer'],
    ["what is nothing but itself", sent(ref("A"), { A: of(ref("A"), text) }), sent(text), fine],
  ])("%s", (_, released, current, rest) => {
    expect(changes(released, current)).toEqual(sentences("pay: ", rest));
  });

  it("to nothing stops the comparison", () => {
    expect(() => changes(sent(ref("A")), sent(text))).toThrow("#/components/schemas/A is nowhere");
  });
});

describe("of an operation", () => {
  const query = (name: string, more = {}): Parts => ({
    pay: { parameters: [{ in: "query", name, schema: text, ...more }] },
  });
  const requestHeader = (name: string): Parts => ({ pay: { parameters: [{ in: "header", name, schema: text }] } });
  const needed = { required: true };
  const body = (more = {}): Parts => ({ pay: { requestBody: { ...json(text), ...more } } });
  const answers = (...statuses: string[]): Parts => ({
    pay: { responses: Object.fromEntries(statuses.map((status) => [status, {}])) },
  });
  const header = (name: string, more = {}): Parts => ({
    pay: { responses: { "202": { headers: { [name]: { schema: text, ...more } } } } },
  });
  const secured = (...security: Record<string, string[]>[]): Parts => ({ pay: { security } });
  const [key, basic, both] = [{ key: [] }, { basic: [] }, { key: [], basic: [] }];

  it.each<[string, Parts, Parts, string | undefined]>([
    ["its path", {}, { path: "/pays" }, "pay moved from POST /pay to POST /pays"],
    ["the server", {}, { document: { servers: [{ url: "/v2" }] } }, "the server /partners is gone"],
    ["one server more", {}, { document: { servers: [{ url: "/v2" }, { url: "/partners" }] } }, fine],

    ["a key and a password", {}, secured(both), 'pay with header "key" now needs basic'],
    ["a key where all were let in", secured(), secured(key), 'pay now needs header "key"'],
    ["a key for all operations", { document: { security: [] } }, {}, 'pay now needs header "key"'],
    ["no password", secured(both), secured(key), fine],
    ["a key or a password", secured(key), secured(basic, key), fine],
    ["no longer a key or a password", secured(basic, key), secured(key), 'pay with basic now needs header "key"'],
    ["another key", secured(key), secured({ otherKey: [] }), 'pay with header "key" now needs header "other"'],
    ["another name for a key", secured(key), secured({ renamedKey: [] }), fine],
    ["a scope", secured(key), secured({ key: ["refunds"] }), 'pay with header "key" now needs refunds of header "key"'],

    ["a parameter", {}, query("a"), fine],
    ["a needed parameter", {}, query("a", needed), 'pay: the request now needs query parameter "a"'],
    ["a parameter that need not be", query("a", needed), query("a"), fine],
    ["a parameter that must be", query("a"), query("a", needed), 'pay: the request now needs query parameter "a"'],
    ["a parameter less", query("a"), {}, 'pay: the request no longer has query parameter "a"'],
    ["a parameter in upper case", query("a"), query("A"), 'pay: the request no longer has query parameter "a"'],
    ["a header in upper case", requestHeader("a"), requestHeader("A"), fine],
    [
      "a parameter's type",
      query("a"),
      query("a", { schema: whole }),
      'pay: the request › query parameter "a" was string and is integer',
    ],
    [
      "a parameter's default",
      query("a"),
      query("a", { schema: { ...text, default: "x" } }),
      'pay: the request takes a missing query parameter "a" as "x", no longer as none',
    ],

    ["a body", {}, body(), fine],
    ["a needed body", {}, body(needed), "pay: the body is now needed"],
    ["a body that must be", body(), body(needed), "pay: the body is now needed"],
    ["a body that need not be", body(needed), body(), fine],
    ["no body", body(), {}, "pay: the body is no longer application/json"],
    [
      "a body of another type",
      body(),
      body({ content: { "text/csv": {} } }),
      "pay: the body is no longer application/json",
    ],

    ["a problem more", answers("202"), answers("202", "409", "5XX"), fine],
    ["a problem less", answers("202", "409"), answers("202"), "pay: the response 409 is gone"],
    ["a success more", answers("202"), answers("202", "200"), "pay: the response may now be 200"],
    [
      "an answer of another type",
      told(text),
      { pay: { responses: { "202": { content: { "text/csv": {} } } } } },
      "pay: the response 202 is no longer application/json",
    ],
    ["an answer with a body", answers("202"), told(text), fine],
    ["a header more in the answer", answers("202"), header("a", needed), fine],
    ["a header less in the answer", header("a"), answers("202"), 'pay: the response 202 no longer has header "a"'],
    ["a header always", header("a"), header("A", needed), fine],
    ["a header at times", header("a", needed), header("A"), 'pay: the response 202 may come without header "a"'],
    [
      "a header's type",
      header("a"),
      header("a", { schema: amount }),
      'pay: the response 202 › header "a" was string and is number',
    ],
  ])("%s", (_, released, current, sentence) => {
    expect(changes(released, current)).toEqual(sentences("", sentence));
  });

  it("one that is gone breaks its callers, one more breaks nobody", () => {
    const [few, many] = [documentOf({ document: { paths: {}, webhooks: {} } }), documentOf()];
    expect(breakingChanges(many, few)).toEqual(["pay is gone", "payment is gone"]);
    expect(breakingChanges(few, many)).toEqual([]);
  });
});

describe("of a webhook, whose callers are told the request", () => {
  const body = (schema: Schema, more = {}): Parts => ({ webhook: { requestBody: { ...json(schema), ...more } } });
  const header = (more = {}): Parts => ({
    webhook: { parameters: [{ in: "header", name: "a", schema: text, ...more }] },
  });
  const answers = (...statuses: string[]): Parts => ({
    webhook: { responses: Object.fromEntries(statuses.map((status) => [status, {}])) },
  });
  const needed = { required: true };

  it.each<[string, Parts, Parts, string | undefined]>([
    ["a member always", body(maybeA), body(alwaysA), fine],
    ["a member at times", body(alwaysA), body(maybeA), 'the body may come without "a"'],
    ["a body at times", body(text, needed), body(text), "the body may be missing"],
    ["no body", body(text), {}, "the body is no longer application/json"],
    ["a header more", {}, header(needed), fine],
    ["a header less", header(), {}, 'the request no longer has header "a"'],
    ["a header at times", header(needed), header(), 'the request may come without header "a"'],
    ["an answer more that is taken", answers("2XX"), answers("2XX", "303"), fine],
    ["an answer that is no longer taken", answers("2XX", "410"), answers("2XX"), "the response 410 is gone"],
  ])("%s", (_, released, current, rest) => {
    expect(changes(released, current)).toEqual(sentences("payment: ", rest));
  });

  it("its security is the partner's own", () => {
    const open = documentOf({ pay: { security: [] }, document: { security: [] } });
    expect(breakingChanges(open, documentOf({ pay: { security: [] } }))).toEqual([]);
  });
});

describe("what the comparison does not understand stops it", () => {
  const unknown = (part: object) => part as Partial<Operation>;

  it.each<[string, Parts, string]>([
    ["a schema's keyword", told({ not: text }), "application/json › schema: the keyword not is not understood"],
    ["one in a shared schema", { schemas: { A: list({ not: text }) } }, "A › items: the keyword not is not understood"],
    ["a schema that is a word", told({ items: true } as unknown as Schema), "items: true is not understood"],
    ["a parameter elsewhere", { pay: unknown({ parameters: [ref("A")] }) }, "0: the keyword $ref is not understood"],
    ["an operation's keyword", { pay: unknown({ callbacks: {} }) }, "post: the keyword callbacks is not understood"],
    ["another version", { document: { openapi: "3.0.3" } }, "OpenAPI 3.0.3 is not understood"],
    ["an operation without a name", { pay: { operationId: "" } }, "POST /pay has no operationId"],
    ["a key that is not described", { pay: { security: [{ lost: [] }] } }, "the security scheme lost is nowhere"],
  ])("%s, before or after", (_, parts, message) => {
    expect(() => changes(parts, {})).toThrow(message);
    expect(() => changes({}, parts)).toThrow(message);
  });

  it("a limit that is said twice", () => {
    const twice = sent({ allOf: [{ maxLength: 1 }, { maxLength: 2 }] });
    expect(() => changes(twice, twice)).toThrow("maxLength is said twice, as 1 and 2");
  });
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
