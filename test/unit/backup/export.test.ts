import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportFolder } from "../../../infra/operator/backup/folder.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { eachTable, type Table } from "../../../shared/stores/stores.ts";
import { allOf, aRestorable, authorized } from "./a-restorable.ts";

describe("an export", () => {
  it("continues after an interruption, and holds each row once", async () => {
    const restorable = await aRestorable();
    for (let i = 0; i < 3; i++) await authorized(restorable);
    const whole = restorable.whole();
    const ending = eachTable((table: Table) => ({
      ...whole[table],
      async *rowsAfter(after?: string) {
        yield* whole[table].rowsAfter(after);
        if (table === "payments" && after === undefined) throw new Unavailable("the tables do not respond");
      },
    }));
    await expect(restorable.exportAll(ending)).rejects.toThrow(Unavailable);
    await appendFile(join(restorable.folder, "Payments.jsonl"), "half a li");
    const { tables } = await restorable.exportAll();
    const rows = await allOf(whole.payments.rowsAfter());
    expect(tables["payments"]?.rows).toBe(rows.length);
    await expect(exportFolder(restorable.folder)).rejects.toThrow(/holds a finished export/);
  });

  it("shows records in a readable form", async () => {
    const restorable = await aRestorable();
    await restorable.exportAll();
    const [line = ""] = (await readFile(join(restorable.folder, "Partners.jsonl"), "utf8")).split("\n");
    expect(JSON.parse(line)).toMatchObject({ record: { partnerId: expect.any(String) } });
  });
});
