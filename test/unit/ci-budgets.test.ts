import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const steps = [...read(".ci/run").matchAll(/^ {2}(step|required|beside) +(\S+) +(\d+) +(\d+) {2}(\S.*)$/gm)].map(
  ([, kind, name, wall, cpu, command = ""]) => ({ kind, name, wall: Number(wall), cpu: Number(cpu), command }),
);

it("docs/testing.md has the budgets of each step of .ci/run", () => {
  const rows = [...read("docs/testing.md").matchAll(/^\| `(\S+)` \| (\d+) \| (\d+) \|/gm)].map(
    ([, name, wall, cpu]) => ({
      name,
      wall: Number(wall),
      cpu: Number(cpu),
    }),
  );
  expect(steps.length).toBeGreaterThan(4);
  expect(rows).toEqual(steps.map(({ name, wall, cpu }) => ({ name, wall, cpu })));
});

it("the budgets of .ci/run add up to at most fourteen minutes, if two concurrent steps take as long as the longer one", () => {
  const added = steps.map(({ wall }, i) => {
    const before = steps[i - 1];
    return before?.kind === "beside" ? Math.max(0, wall - before.wall) : wall;
  });
  expect(added.reduce((sum, wall) => sum + wall, 0)).toBeLessThanOrEqual(14 * 60);
});

it("the workflow runs .ci/run, and no command that .ci/run does not run", () => {
  const workflow = read(".github/workflows/ci.yml");
  expect(workflow).toContain("run: .ci/run\n");
  const run = [...workflow.matchAll(/^ +- run: (npm .*)$/gm)].map(([, command = ""]) => command);
  expect(run.length).toBeGreaterThan(3);
  expect(run.filter((command) => !steps.some((step) => `${step.command} `.startsWith(`${command} `)))).toEqual([]);
});
