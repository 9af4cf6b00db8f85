import { join } from "node:path";
import { expect, it } from "vitest";
import { read } from "../../support/pages.ts";
import { root } from "../../support/rooms.ts";
import {
  checkerIsPresent,
  compilerIsPresent,
  complaints,
  objections,
  withoutChecker,
  withoutCompiler,
} from "./bicep-judges.ts";
import { checks } from "./checks.ts";
import { Templates } from "./templates.ts";

const templates = new Templates(root);
const paths = [...templates.files.keys()].map((file) => join(root, "infra/azure", file));

it.each(checks)("the templates: $name", async ({ find }) => {
  expect(await find(templates)).toEqual([]);
});

it("docs/deploy.md names every variable that an environment must set", () => {
  const needed = [...templates.files].flatMap(([file, text]) =>
    file.endsWith(".bicepparam")
      ? [...text.matchAll(/readEnvironmentVariable\('(\w+)'\)/g)].map(([, name = ""]) => name)
      : [],
  );
  expect(needed.length).toBeGreaterThan(3);
  expect(needed.filter((name) => !read("docs/deploy.md").includes(name))).toEqual([]);
});

it.skipIf(!checkerIsPresent)(`Microsoft's types have nothing against the templates${withoutChecker}`, async () => {
  expect(paths.length).toBeGreaterThan(20);
  expect(await objections(paths)).toEqual([]);
});

it.skipIf(!compilerIsPresent)(`the compiler of Bicep takes them${withoutCompiler}`, () => {
  for (const file of paths) expect({ file, said: complaints(file) }).toEqual({ file, said: "" });
});
