import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingChanges, mayBreak } from "../../../infra/openapi/breaking/breaking.ts";
import type { Document, Operation, Schema } from "../../../infra/openapi/breaking/document.ts";
import { apiNames } from "../../support/api-documents.ts";
// What breaks a caller of a released document, and what does not.
import {
  alwaysA,
  amount,
  changes,
  documentOf,
  fine,
  json,
  list,
  maybeA,
  type Parts,
  ref,
  sent,
  sentences,
  text,
  responded,
  whole,
} from "./two-documents.ts";

describe("what breaks callers of an operation", () => {
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
      responded(text),
      { pay: { responses: { "202": { content: { "text/csv": {} } } } } },
      "pay: the response 202 is no longer application/json",
    ],
    ["an answer with a body", answers("202"), responded(text), fine],
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

  it("a removed operation breaks its callers, a new one breaks none", () => {
    const [few, many] = [documentOf({ document: { paths: {}, webhooks: {} } }), documentOf()];
    expect(breakingChanges(many, few)).toEqual(["pay is gone", "payment is gone"]);
    expect(breakingChanges(few, many)).toEqual([]);
  });
});

describe("what breaks the receivers of a webhook", () => {
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
    ["a schema's keyword", responded({ not: text }), "application/json › schema: the keyword not is not understood"],
    ["one in a shared schema", { schemas: { A: list({ not: text }) } }, "A › items: the keyword not is not understood"],
    ["a schema that is a word", responded({ items: true } as unknown as Schema), "items: true is not understood"],
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
