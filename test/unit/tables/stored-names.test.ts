import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import { effectKinds } from "../../../shared/domain/effects.ts";
import { tableNames } from "../../../shared/tables/table-names.ts";
import { namesIn } from "../../support/names-in.ts";
import { records } from "./records.ts";
import { rowKeys } from "./row-keys.ts";

/** Each stored name with the version that brought it, by where it stands: a table, a queue, a key, a record's members and values. */
type StoredNames = Readonly<Record<string, Readonly<Record<string, number>>>>;

const file = fileURLToPath(new URL("../../../shared/tables/stored-names.json", import.meta.url));
const listed = z.record(z.string(), z.record(z.string(), z.int())).parse(JSON.parse(readFileSync(file, "utf8")));

/** The names in the code as it stands. */
const inCode: Readonly<Record<string, readonly string[]>> = {
  tables: Object.values(tableNames),
  queues: [...new Set(Object.values(effectKinds).flatMap(({ queue, again }): string[] => [queue, again]))].toSorted(),
  keys: rowKeys(),
  ...Object.fromEntries(Object.entries(records).map(([name, { schema }]) => [name, namesIn(schema)])),
};

/** The names of a version that is deployed. Rows and messages hold them: a change of them fails here, and a new name has the next version. */
const frozen: Readonly<Record<number, string>> = { 1: "403169a565b14069", 2: "9deca8d8d4b77005" };

const namesOf = (version: number, names: StoredNames): string =>
  JSON.stringify(
    Object.entries(names)
      .map(([of, each]) => [of, Object.keys(each).filter((name) => each[name] === version)])
      .filter(([, brought = []]) => brought.length > 0), // a record that came later is none of an earlier version's
  );

it.each(Object.keys(inCode))("every stored name of %s is listed with its version, and no other", (of) => {
  expect(Object.keys(listed[of] ?? {}).toSorted()).toEqual(inCode[of]?.toSorted());
});

it("lists nothing but what is stored", () => {
  expect(Object.keys(listed).toSorted()).toEqual(Object.keys(inCode).toSorted());
});

it.each(Object.entries(frozen))("keeps the names of version %s", (version, digest) => {
  expect(
    createHash("sha256")
      .update(namesOf(Number(version), listed))
      .digest("hex")
      .slice(0, 16),
  ).toBe(digest);
});

it("has no version that is not frozen", () => {
  const versions = new Set(Object.values(listed).flatMap((names) => Object.values(names)));
  expect([...versions].map(String).filter((version) => !(version in frozen))).toEqual([]);
});
