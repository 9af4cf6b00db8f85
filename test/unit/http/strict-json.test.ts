import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../../../shared/http/strict-json.ts";

describe("JSON that a partner sends", () => {
  it("is read as any parser reads it, but that null means absent", () => {
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
  ])("is refused for %s", (_, text) => {
    expect(() => parseStrictJson(text)).toThrow(SyntaxError);
  });

  it("is not refused for nesting of 32, or for names alike in different objects", () => {
    expect(() => parseStrictJson(`${"[".repeat(32)}${"]".repeat(32)}`)).not.toThrow();
    expect(() => parseStrictJson('[{"a":1},{"a":1}]')).not.toThrow();
  });

  it("is refused within a second, however many quotes a string without an end holds", () => {
    const begun = performance.now();
    expect(() => parseStrictJson(`"${'\\"'.repeat(64 * 1024)}`)).toThrow(SyntaxError);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it("does not let a __proto__ member reach any prototype", () => {
    const parsed = parseStrictJson('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it("comes back whole, whatever it holds", () => {
    const withoutNulls = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes("null"));
    fc.assert(
      fc.property(withoutNulls, (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseStrictJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
