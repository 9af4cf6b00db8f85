import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../support/rooms.ts";
import { checkerIsPresent, objections, withoutChecker } from "./bicep-judges.ts";
import { checks } from "./checks.ts";
import { faults } from "./faults.ts";
import { Templates } from "./templates.ts";

// Each fault is put into a copy of the templates, and the check that should find it must.

let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "templates-"));
  for (const folder of ["infra/azure", "infra/apim", "infra/service-bus", ".github"])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  for (const file of ["host.json", "docs/backup.md"]) cpSync(join(root, file), join(copy, file));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the check finds in the copy. */
async function found(check: string): Promise<readonly string[]> {
  const templates = new Templates(copy);
  if (check === "types") return objections([...templates.files.keys()].map((file) => join(copy, "infra/azure", file)));
  const known = checks.find(({ name }) => name === check);
  if (!known) throw new Error(`there is no check ${check}`);
  return known.find(templates);
}

const before = new Map<string, ReturnType<typeof found>>();

/** What the check finds without a fault. */
function foundInTheRightOne(check: string): ReturnType<typeof found> {
  const known = before.get(check) ?? found(check);
  before.set(check, known);
  return known;
}

async function isFound({ file, find, replace, caughtBy }: (typeof faults)[number]): Promise<void> {
  const path = join(copy, file);
  const right = readFileSync(path, "utf8");
  expect(right.split(find)).toHaveLength(2);
  expect(await foundInTheRightOne(caughtBy)).toEqual([]);
  writeFileSync(
    path,
    right.replace(find, () => replace),
  );
  try {
    expect(await found(caughtBy)).not.toEqual([]);
  } finally {
    writeFileSync(path, right);
  }
}

const ofTypes = faults.filter(({ caughtBy }) => caughtBy === "types");
it.each(faults.filter((fault) => !ofTypes.includes(fault)))("$caughtBy: finds $fault", isFound);
it.skipIf(!checkerIsPresent).each(ofTypes)(`Microsoft's types find $fault${withoutChecker}`, isFound);

it("tries every check with a fault at least", () => {
  const tried = new Set(faults.map(({ caughtBy }) => caughtBy));
  expect(checks.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});
