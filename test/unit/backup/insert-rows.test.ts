import { expect, it } from "vitest";
import { insertRows } from "../../../infra/operator/backup/insert-rows.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const row = (rowKey: string, text = rowKey) => ({ partitionKey: "days", rowKey, columns: { data0: text, v: 1 } });

/** Rows of which another part of the import writes one just before each write of it. */
function contested(other: ReturnType<typeof row>): Rows {
  const rows = inMemoryRows();
  return {
    ...rows,
    async submit(partitionKey, operations) {
      const { rowKey, columns } = other;
      if (operations.some((one) => one.rowKey === rowKey))
        await rows.submit(partitionKey, [{ kind: "overwrite", rowKey, columns }]);
      return rows.submit(partitionKey, operations);
    },
  };
}

it("inserts all rows although another part of the import writes one of them at the same moment", async () => {
  const rows = contested(row("b"));
  await insertRows(rows, "days", [row("a"), row("b"), row("c")]);
  expect((await rows.withPrefix("days", "")).map(({ rowKey }) => rowKey)).toEqual(["a", "b", "c"]);
});

it("refuses a row that exists and is different", async () => {
  const rows = contested(row("b", "another"));
  await expect(insertRows(rows, "days", [row("a"), row("b")])).rejects.toThrow("already exists, and is different");
});
