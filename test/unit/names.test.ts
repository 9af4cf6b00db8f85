import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { filesIn, root } from "../support/rooms.ts";

/** A file of types alone has nothing to prove. */
const runs = (file: string) => /^export (?!type |interface )/m.test(readFileSync(join(root, file), "utf8"));

/** The paths of the room's suites, without the endings of their names. */
const suitesOf = (room: string) =>
  ["test/unit", "test/integration"]
    .flatMap(filesIn)
    .flatMap((file) => file.match(new RegExp(`^test/\\w+/${room}/(.+)\\.test\\.ts$`))?.slice(1) ?? []);

/** The files of a room without a suite of their name, a folder of suites of their name, or a suite called like their own folder. */
function withoutSuite(room: string): readonly string[] {
  const suites = suitesOf(room);
  const proven = new Set(suites.flatMap((suite) => suite.split("/")));
  const whole = new Set(suites.map((suite) => basename(suite)));
  return filesIn(`shared/${room}`)
    .filter(runs)
    .filter((file) => !proven.has(basename(file, ".ts")) && !whole.has(basename(dirname(file))))
    .toSorted();
}

it("the list of use cases and stores without a suite of their name is complete, and may only become shorter", () => {
  const listed = readFileSync(join(import.meta.dirname, "without-suite.txt"), "utf8")
    .trim()
    .split("\n");
  expect([...withoutSuite("stores"), ...withoutSuite("use-cases")]).toEqual(listed);
});
