import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { currentOperations, currentReadme } from "../../infra/docs.ts";
import { statesPage } from "../../infra/states-page.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("the drawing of a payment's states is the table's (else: npm run docs)", () => {
  expect(read("docs/states.md")).toBe(statesPage());
});

it("the README tells the autopilot's scripts and the client's example as they are (else: npm run docs)", async () => {
  expect(read("README.md")).toBe(await currentReadme(read("README.md")));
});

it("the operator's page tells the kinds of alerts as they are (else: npm run docs)", () => {
  expect(read("docs/operations.md")).toBe(currentOperations(read("docs/operations.md")));
});

it("docs/security.md names test files that are there, and says of each threat which one answers it, or that none does", () => {
  const page = read("docs/security.md");
  const named = [...page.matchAll(/\]\((\.\.\/test\/[^)]+)\)/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(new URL(`../../docs/${path}`, import.meta.url)))).toEqual([]);
  const rows = page.split("\n").filter((line) => /^\| (?!risk|threat)\w/.test(line));
  expect(rows.filter((row) => !/\.\.\/test\/|\*not answered\*: \w/.test(row.split("|").at(-2) ?? ""))).toEqual([]);
});
