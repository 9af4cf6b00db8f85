import { expect, it } from "vitest";
import { isPublished, SANDBOX, sandboxWords } from "../../../../infra/tools/packed.ts";
import { pages, read } from "../../../../test/support/pages.ts";

/** A command that has npm fetch the package of this name from the registry. */
const fetches = new RegExp(
  `\\b(?:npx|npm (?:exec|install|i|add))(?: (?!--no )-\\S+)* ${SANDBOX}(?![\\w.-])[^\`\n]*`,
  "g",
);

it("no page and no message has npm fetch the sandbox by its name before a release has published it", () => {
  const texts = [
    ...pages.map((page) => [page, read(page)] as const),
    ["the program's own words", sandboxWords] as const,
  ];
  const found = texts.flatMap(([page, text]) => (text.match(fetches) ?? []).map((command) => `${page}: ${command}`));
  const told = found.filter((one) => !one.startsWith("docs/releases.md")); // which says that nobody may be told so
  expect(isPublished || told).toEqual(isPublished || []);
  expect(`npx ${SANDBOX} start`).toMatch(fetches);
});
