import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { statesPage, withScripts } from "../../infra/docs.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("the drawing of a payment's states is the table's (else: npm run docs)", () => {
  expect(read("docs/states.md")).toBe(statesPage());
});

it("the README lists the autopilot's scripts as they are (else: npm run docs)", () => {
  expect(read("README.md")).toBe(withScripts(read("README.md")));
});
