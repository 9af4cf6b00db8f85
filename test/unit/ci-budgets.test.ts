import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const rows = (text: string, row: RegExp) => [...text.matchAll(row)].map(([, name, seconds]) => [name, Number(seconds)]);
const steps = rows(read(".ci/run"), /^ {2}(?:step|required) +(\S+) +(\d+) {2}\S/gm);

it("docs/testing.md has the budget of each step of .ci/run", () => {
  expect(steps.length).toBeGreaterThan(4);
  expect(rows(read("docs/testing.md"), /^\| `(\S+)` \| (\d+) \|/gm)).toEqual(steps);
});

it("the budgets of .ci/run come to less than twenty minutes", () => {
  expect(steps.reduce((sum, [, seconds]) => sum + Number(seconds), 0)).toBeLessThan(20 * 60);
});
