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
  it("holds every record that a table imports", () => {
    const tables = join(import.meta.dirname, "../../../shared/tables");
    const imported = readdirSync(tables)
      .flatMap((file) => [
        ...readFileSync(join(tables, file), "utf8").matchAll(/import \{([^}]*)\} from "\.\.\/(?:domain|ports)\//g),
      ])
      .flatMap(([, names = ""]) => names.match(/\b\w+Record\b/g) ?? []);
    expect(imported).toContain("paymentRecord");
    expect(imported.filter((name) => !(name in records))).toEqual([]);
  });
});
