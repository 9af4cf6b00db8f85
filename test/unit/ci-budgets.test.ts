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

it("the workflow runs .ci/run, and no command that .ci/run does not run", () => {
  const workflow = read(".github/workflows/ci.yml");
  expect(workflow).toContain("run: .ci/run\n");
  const own = [...read(".ci/run").matchAll(/^ {2}(?:step|required) +\S+ +\d+ {2}(npm .*)$/gm)].map(
    ([, run = ""]) => run,
  );
  const run = [...workflow.matchAll(/^ +- run: (npm .*)$/gm)].map(([, command = ""]) => command);
  expect(run.length).toBeGreaterThan(3);
  expect(run.filter((command) => !own.some((other) => `${other} `.startsWith(`${command} `)))).toEqual([]);
});
