import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anyFull } from "../../support/any-value.ts";
import { fc } from "../../support/drawn.ts";
import { records } from "./records.ts";
import { stored } from "./stored.ts";

describe.each(Object.entries(records))("%s", (_, { schema, full }) => {
  it("is read from its row unchanged, with every member that it can have", () => {
    for (const record of full) expect(stored(record, schema)).toStrictEqual(record);
  });

  it("is read from its row unchanged, whatever its values", () => {
    fc.assert(
      fc.property(anyFull(schema), (record) => {
        expect(stored(record, schema)).toStrictEqual(record);
      }),
    );
  });
});

describe("the list of records", () => {
  it("holds every record that a store reads", () => {
    const stores = join(import.meta.dirname, "../../../shared/stores");
    const used = readdirSync(stores).flatMap((file) => {
      const text = readFileSync(join(stores, file), "utf8");
      const names = [...text.matchAll(/, (\w+Record)\)/g)].map(([, name = ""]) => name);
      return names.filter((name) => !text.includes(`\nconst ${name} = `)); // the store's own tests read its names
    });
    expect(used).toContain("paymentRecord");
    expect(used.filter((name) => !(name in records))).toEqual([]);
  });
});
