import { describe, expect, it } from "vitest";
import { commentsIn, vagueWordsIn, writtenSources } from "../support/words.ts";

/** A few are the right word; more would make it a habit. */
const MOST_VAGUE_WORDS = 39;

const textsIn = (source: string) => commentsIn(source).map(({ text }) => text);

describe("the comment scanner", () => {
  it.each([
    ["a line comment", "a(); // one\nb(); // two", ["// one", "// two"]],
    ["a block comment", "/** one\n * two */ const a = 1; /* three */", ["/** one\n * two */", "/* three */"]],
    ["a comment at the end of the source", "a();\n// one", ["// one"]],
    ["a comment between the parts of an expression", "a /* one */ / b / c // two", ["/* one */", "// two"]],
    ["a comment within a template's expression", "`a${b /* one */}c`; // two", ["/* one */", "// two"]],
  ])("finds %s", (_, source, comments) => {
    expect(textsIn(source)).toEqual(comments);
  });

  it.each([
    ["a string", `const a = "// \\" one" + '/* two */';`],
    ["a template", "const a = `// one ${`/* two */ ${b}`} // three`;"],
    ["a template with an object within", "const a = `${f({ b: { c: 1 } })} // one`;"],
    ["a regular expression", String.raw`const a = /\/\/ one/.test(b) || [/[/*] two/, b].some(c => /"'// three/u);`],
    ["a regular expression after a keyword", String.raw`return /\/*/.exec(typeof /'/);`],
  ])("takes no text within %s for a comment", (_, source) => {
    expect(textsIn(source)).toEqual([]);
  });

  it.each(["/* one", '"one', "`one ${two", "return /one"])(
    "throws for a source that ends within a token: %s",
    (source) => {
      expect(() => commentsIn(source)).toThrow(SyntaxError);
    },
  );
});

describe("the comments of the repository", () => {
  it("are counted by whole words, in any case, with their lines", () => {
    const source = 'const told = "asked"; // Nobody is asked\n\n/*\n * retold, whoever */';
    expect(vagueWordsIn(source)).toEqual([
      { word: "nobody", line: 1 },
      { word: "asked", line: 1 },
      { word: "whoever", line: 4 },
    ]);
  });

  it(`name who acts: they hold at most ${MOST_VAGUE_WORDS} vague words`, () => {
    const sources = writtenSources();
    expect(sources.size).toBeGreaterThan(500);
    const found = [...sources].flatMap(([path, source]) =>
      vagueWordsIn(source).map(({ word, line }) => `${path}:${line} ${word}`),
    );
    expect(found.length, `vague words in comments:\n${found.join("\n")}`).toBeLessThanOrEqual(MOST_VAGUE_WORDS);
  });
});
