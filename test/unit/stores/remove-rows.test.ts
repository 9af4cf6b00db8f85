import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { ownRow, removeSubject } from "../../../shared/stores/remove-rows.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

/** A subject with this many rows in addition to its own. */
async function aSubject(beside: number) {
  const rows = inMemoryRows();
  for (let i = 0; i < beside; i++) await rows.submit("p", [{ kind: "insert", rowKey: `row~${i}`, columns: {} }]);
  await rows.submit("p", [{ kind: "insert", rowKey: "own", columns: { n: 1 } }]);
  const found = await rows.withPrefix("p", "");
  const own = found.find(({ rowKey }) => rowKey === "own");
  if (!own) throw new Error("the subject is gone");
  return { rows, own, others: found.filter((row) => row !== own) };
}

it.each([0, 1, 98, 99, 100, 250])(
  "a subject is removed with its %d rows in groups that the service accepts",
  async (beside) => {
    const { rows, own, others } = await aSubject(beside);
    const sizes: number[] = [];
    const counting: Rows = {
      ...rows,
      submit: (partition, operations) => {
        sizes.push(operations.length);
        return rows.submit(partition, operations);
      },
    };
    expect(await removeSubject(counting, "p", own, others)).toBe(beside + 1);
    expect(await rows.withPrefix("p", "")).toEqual([]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
  },
);

it("a subject that changes during its removal stays, and so does its own row", async () => {
  const { rows, own, others } = await aSubject(250);
  let groups = 0;
  const disturbed: Rows = {
    ...rows,
    async submit(partition, operations) {
      if (++groups === 2) await rows.submit("p", [{ kind: "overwrite", rowKey: "own", columns: { n: 2 } }]);
      return rows.submit(partition, operations);
    },
  };
  await expect(removeSubject(disturbed, "p", own, others)).rejects.toThrow(Conflict);
  expect((await rows.get("p", "own"))?.columns).toEqual({ n: 2 });
});

it("a subject is removed only as it was read", async () => {
  const { own, others } = await aSubject(1);
  expect(ownRow([...others, own], "own", own.etag)).toBe(own);
  expect(ownRow(others, "own", undefined)).toBeUndefined();
  expect(() => ownRow([own], "own", "another")).toThrow(Conflict);
  expect(() => ownRow([own], "own", undefined)).toThrow(Conflict);
  expect(() => ownRow(others, "own", own.etag)).toThrow(Conflict);
});
