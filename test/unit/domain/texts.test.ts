import { describe, expect, it } from "vitest";
import { isPortable, quoted, sentJson, shownText, storableText, storedJson } from "../../../shared/domain/texts.ts";
import { fc } from "../../support/drawn.ts";

const sizeOf = (text: string) => storedJson(text).length - 2;
const unit = fc.constantFrom("a", "å", "漢", "😀", '"', "\\", "\u0000", "\n", "\u0085", "\u2028", "\ud83d", "\ude00");

it.each([
  ["Café, 漢字, 😀, e\u0301", true],
  ["two\r\nlines, \u2028, \u202e and \u001b", true],
  ["half of \ud83d", false],
  ["the other \ude00", false],
  ["a NUL \u0000", false],
])("a partner may send %j: %s", (text, isRight) => {
  expect(isPortable(text)).toBe(isRight);
});

it("a text of an older release with half of a character is readable to every caller, and a backslash stays one", () => {
  const json = sentJson({ old: "a\ud83d", whole: "😀", literal: String.raw`\ud83d \\ud83d`, lines: "\n\u2028" });
  expect(json.isWellFormed()).toBe(true);
  expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
  expect(JSON.parse(json)).toEqual({
    old: "a\ufffd",
    whole: "😀",
    literal: String.raw`\ud83d \\ud83d`,
    lines: "\n\u2028",
  });
});

it.each([
  ["two\r\nlines\u2028more", "two  lines more"],
  ["\u001b[31mred\u009b0m\u0007", " [31mred 0m "],
  ["\u202emoc.live\u2066\u2069\u200f", "moc.live"],
  ["שלום 12.50", "\u2068שלום 12.50\u2069"],
  ["half \ud83d", "half \ufffd"],
])("a person at a terminal sees %j as %j", (text, shown) => {
  expect(shownText(text)).toBe(shown);
  expect(quoted(text)).toBe(JSON.stringify(shown));
});

describe("a text that is recorded with any content", () => {
  it("never takes more of its record than it may, and stays well-formed, in any script", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 0, max: 40 }), (text, most) => {
        const kept = storableText(text, most);
        expect(sizeOf(kept)).toBeLessThanOrEqual(most);
        expect(kept.isWellFormed()).toBe(true);
        expect(kept).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(storableText(kept, most)).toBe(kept);
      }),
    );
  });

  it("is written without a character that some reader takes for a line end", () => {
    const json = storedJson({ text: "a\n\u0085\u009f\u007f\u2028\u2029\v\f\u001c b" });
    expect(json).toBe(String.raw`{"text":"a\n\u0085\u009f\u007f\u2028\u2029\u000b\f\u001c b"}`);
  });

  it.each([
    ["the length that it may have", "x".repeat(64), "x".repeat(64)],
    ["a character more", "x".repeat(65), "x".repeat(64)],
    ["quotes, which take two each", '"'.repeat(64), '"'.repeat(32)],
    ["an astral character at the cut", `${"x".repeat(63)}😀`, "x".repeat(63)],
    ["lines", "declined\r\nby issuer", "declined  by issuer"],
    ["half a surrogate pair", "a\ud83d", "a\ufffd"],
  ])("is kept as far as it fits: %s", (_, text, kept) => {
    expect(storableText(text, 64)).toBe(kept);
  });
});
