import { expect, it } from "vitest";
import { contentIn, digestOfFilters, opaque } from "../../../shared/use-cases/opaque-cursor.ts";
import { fc } from "../../support/drawn.ts";

it("a cursor has its content, and no other text throws", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.string({ unit: "binary" }), (content, text) => {
      expect(JSON.stringify(contentIn(opaque(content)))).toBe(JSON.stringify(content));
      expect(() => contentIn(text)).not.toThrow();
    }),
  );
});

it("filters have one digest in any order, whether a member is absent or undefined", () => {
  const digest = digestOfFilters({ a: 1, b: ["x"] });
  expect(digestOfFilters({ b: ["x"], a: 1, c: undefined })).toBe(digest);
  for (const other of [{ a: 1 }, { a: 2, b: ["x"] }, { a: 1, b: ["y"] }, { b: 1, a: ["x"] }])
    expect(digestOfFilters(other)).not.toBe(digest);
});
