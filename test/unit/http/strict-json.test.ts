import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../../../shared/edge/http/strict-json.ts";
import { anyJson } from "../../support/any-value.ts";
import { fc } from "../../support/drawn.ts";

describe("JSON that a partner sends", () => {
  it("is read as any parser reads it, except that null means absent", () => {
    expect(parseStrictJson('{"a":[1,{"b":"{\\"b\\":1}"}],"c":null,"d":{"a":2}}')).toEqual({
      a: [1, { b: '{"b":1}' }],
      d: { a: 2 },
    });
  });

  it.each([
    ["a repeated member name", '{"amount":1,"amount":2}'],
    ["a name repeated in another spelling", '{"amount":1,"\\u0061mount":2}'],
    ["a name repeated within", '{"a":{"b":1,"c":[],"b":2}}'],
    ["nesting beyond 32", `${"[".repeat(33)}${"]".repeat(33)}`],
    ["a hundred thousand levels", "[".repeat(100_000)],
    ["what is no JSON", '{"a":1'],
    ["nothing", ""],
    ["an escape that is none", '{"\\x":1}'],
    ["a string without an end", '{"a":"b'],
    ["a member that names a prototype", '{"data":{"__proto__":1}}'],
    ["a member that names a prototype in another spelling", '{"data":{"\\u005f_proto__":1}}'],
    ["a member whose name is half a character", '{"data":{"\\ud83d":1}}'],
    ["a member whose name holds a quote", '{"data":{"\\"":1}}'],
    ["a member whose name holds a backslash", '{"data":{"\\\\":1}}'],
    ["a member whose name holds a control character in another spelling", '{"data":{"a\\u000a":1}}'],
    ["an amount with more digits than a double holds", '{"amount":12.50000000000000000000000000001}'],
    ["an amount that would round up to a cent", '{"amount":0.009999999999999999999999}'],
    ["an integer with more digits than a double holds", '{"data":{"id":12345678901234567890}}'],
    ["a number beyond all doubles", '{"a":1e400}'],
    ["a number that would be taken for zero", '{"a":-1e-400}'],
  ])("is refused for %s", (_, text) => {
    expect(() => parseStrictJson(text)).toThrow(SyntaxError);
  });

  it("is refused with its problems, and with its original content", () => {
    const doubted = (text: string) => {
      try {
        return parseStrictJson(text);
      } catch (error) {
        return error;
      }
    };
    expect(doubted('{"a":[{"b":1e400}],"c":{"d":1,"\\u0064":[2],"d":null},"e":null}')).toMatchObject({
      doubts: [
        { kind: "inexact number", path: ["a", "b"] },
        { kind: "repeated name", path: ["c", "d"] },
        { kind: "repeated name", path: ["c", "d"] },
      ],
      value: { a: [{ b: Infinity }], c: {} },
      asWritten: { a: [{ b: "1e400" }], c: { d: 1, "d (2)": [2] } },
    });
    for (const text of ['{"a":1,"a":2', '{"a":1.2.3456789012345678}', '"a":1,"a":2'])
      expect(doubted(text)).not.toHaveProperty("doubts");
  });

  it.each([
    ['{"amount":1,}', "At line 1, column 13: a member name in double quotes is missing, or a comma is too many."],
    ['{\n  "a": 1\n  "b": 2\n}', "At line 3, column 3: a comma is missing."],
    ["{'a':1}", "At line 1, column 2: this is not a JSON value."],
    ['{"a":"b', "At line 1, column 6: a string has no end."],
    ['{"a":1} {}', "At line 1, column 9: the JSON has ended, and more text follows."],
    ['{"a":1 /* of SEK */}', "At line 1, column 8: JSON has no comments."],
    ['{"a":NaN}', "At line 1, column 6: this is not a JSON value."],
    ['{"a":1,\n"a":2}', "At line 2, column 1: a member name is repeated."],
    ['{"a":12345678901234567890}', "At line 1, column 6: a number has more digits than a double can hold."],
    ["[".repeat(40), "At line 1, column 33: more than 32 levels are open."],
    ['{"__proto__":1}', "At line 1, column 2: a member names a prototype."],
  ])("is refused with its place and reason: %s", (text, message) => {
    expect(() => parseStrictJson(text)).toThrow(message);
  });

  it("is refused in words that repeat nothing of it", () => {
    const names = fc.string({ unit: "grapheme-ascii", minLength: 1 });
    const mutilated = fc.tuple(
      fc.dictionary(names, names, { minKeys: 1 }),
      fc.nat(),
      fc.constantFrom("", "~", "\u0001"),
    );
    fc.assert(
      fc.property(mutilated, ([value, at, put]) => {
        const text = JSON.stringify(value);
        const cut = at % text.length;
        try {
          parseStrictJson(text.slice(0, cut) + put + text.slice(cut + 1));
        } catch (error) {
          expect((error as Error).message).toMatch(/^At line \d+, column \d+: [\w "',-]+\.$/);
        }
      }),
    );
  });

  it("is not refused for nesting of 32, or for equal names in different objects", () => {
    expect(() => parseStrictJson(`${"[".repeat(32)}${"]".repeat(32)}`)).not.toThrow();
    expect(() => parseStrictJson('[{"a":1},{"a":1}]')).not.toThrow();
  });

  it("is read within a second, with any content", () => {
    const size = 64 * 1024;
    const texts = [
      `"${'\\"'.repeat(size / 2)}`,
      `"${'\\"'.repeat(size / 2)}"`,
      `[1${"0".repeat(size)}1]`,
      `[0.${"0".repeat(size)}1]`,
      `[${"0.10,".repeat(size / 5)}0]`,
      "[".repeat(size),
      '"'.repeat(size),
    ];
    const begun = performance.now();
    for (const text of texts) {
      try {
        parseStrictJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it("is read with each name unchanged, whatever names occurred before", () => {
    for (const name of ["\\\\", "\\\\u00e", "\\\\u00e5"]) {
      try {
        parseStrictJson(`{"h":[],"${name}":0}`);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }
    expect(parseStrictJson('{"h":1,"\\u00e5":2}')).toEqual({ h: 1, å: 2 });
  });

  it.each(["12.50", "1250e-2", "0.1", "1E+2", "100.000", "-0.0", "0e9", "5e-324", "1e21", "125000000000000000000e-20"])(
    "reads %s as exactly this number",
    (number) => expect(parseStrictJson(`[${number}]`)).toEqual([Number(number)]),
  );

  it("accepts every double in every form that a program writes", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const text of [JSON.stringify(value), value.toExponential()])
          expect(parseStrictJson(`[${text}]`)).toEqual([value === 0 ? Number(text) : value]);
      }),
    );
  });

  it("is parsed completely, with any content", () => {
    const plain = anyJson.filter((value) => !/null|__proto__/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseStrictJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
