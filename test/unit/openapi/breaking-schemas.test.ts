import { describe, expect, it } from "vitest";
import type { Schema } from "../../../infra/openapi/breaking/document.ts";
import {
  alwaysA,
  amount,
  type Breaks,
  changes,
  fine,
  list,
  lostA,
  map,
  maybeA,
  object,
  of,
  one,
  others,
  type Parts,
  presetA,
  ref,
  same,
  sent,
  sentences,
  short,
  text,
  responded,
  uri,
  uuid,
  whole,
} from "./two-documents.ts";

describe("what breaks callers of a schema, sent and received", () => {
  // Before, after, what breaks where callers send it, and what breaks where callers receive it (or both at once).
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
    expect(changes(responded(before), responded(after))).toEqual(
      sentences("pay: the response 202", whenTold === same ? whenSent : whenTold),
    );
  });
});

describe("what breaks callers of a limit", () => {
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
    expect(changes(responded(tighter), responded(looser))).toEqual([]);
  });

  it("the same limit by another keyword breaks no caller", () => {
    const [from, above] = [sent({ ...whole, minimum: 1 }), sent({ ...whole, exclusiveMinimum: 0 })];
    expect([...changes(from, above), ...changes(above, from)]).toEqual([]);
  });
});

describe("what breaks callers of a reference", () => {
  const aliased = (schema: Schema) => sent(ref("A"), { A: ref("B"), B: schema });
  const within = (schema: Schema) => responded(ref("A"), { A: object({ next: ref("A"), a: schema }) });

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
