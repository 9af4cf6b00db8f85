import { describe, expect, it } from "vitest";
import * as z from "zod";
import { fromMessage, newestVersion, toMessage, type StoredForms } from "../../../shared/ports/stored-forms.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import { rowsInForm } from "../../../shared/adapters/tables/rows-in-form.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

// A release whose newest form calls a member `due` that the previous form calls `until`.

const renamed = (from: string, to: string) => (content: unknown) =>
  Object.fromEntries(
    Object.entries(content as Record<string, unknown>).map(([name, value]) => [name === from ? to : name, value]),
  );
const asItIs = (content: unknown) => content;
const forms: StoredForms = {
  [newestVersion]: { read: renamed("until", "due"), write: renamed("due", "until") },
  [newestVersion + 1]: { read: asItIs, write: asItIs },
};
const [before, newest] = [newestVersion, newestVersion + 1];

const record = { due: "2026-11-22", of: "a payment" };
const schema = z.object({ due: z.string(), of: z.string() });
/** The record as such a release writes it. */
const columns = { ...toColumns(record, { status: "open" }), v: newest };

async function written(version: number) {
  const rows = inMemoryRows();
  await rowsInForm(rows, version, forms).submit("p", [{ kind: "insert", rowKey: "r", columns }]);
  const row = await rows.get("p", "r");
  if (!row) throw new Error("nothing was written");
  return row;
}

describe("a row", () => {
  it("is written in the form before the newest until the release is switched, and read in the newest", async () => {
    const row = await written(before);
    expect(row.columns).toEqual({ data0: '{"until":"2026-11-22","of":"a payment"}', status: "open", v: before });
    expect(fromRow(row, schema, forms)).toEqual(record);
  });

  it("is written in the newest form once the release is switched", async () => {
    const row = await written(newest);
    expect(row.columns).toEqual(columns);
    expect(fromRow(row, schema, forms)).toEqual(record);
  });

  it("keeps its form if it is copied as stored", async () => {
    const { columns: old } = await written(before);
    const rows = inMemoryRows();
    await rowsInForm(rows, before, forms).submit("p", [{ kind: "insert", rowKey: "r", columns: old }]);
    expect((await rows.get("p", "r"))?.columns).toEqual(old);
  });

  it.each([0, newest + 1])("of version %s is left to a release that reads it", async (v) => {
    const row = { ...(await written(newest)), columns: { ...columns, v } };
    const read = () => fromRow(row, schema, forms);
    expect(read).toThrow(Unavailable);
    expect(read).toThrow(`has version ${v}, and this app reads version ${before} and ${newest}`);
  });

  it("is not written in a version that the release does not know", async () => {
    await expect(written(0)).rejects.toThrow("knows no version 0");
  });
});

describe("a message", () => {
  const message = { ...record, v: newest };

  it("is sent in the form before the newest until the release is switched, and read in the newest", () => {
    const sent = toMessage(message, before, forms);
    expect(sent).toEqual({ until: "2026-11-22", of: "a payment", v: before });
    expect(fromMessage(sent, forms)).toEqual(message);
  });

  it("is sent in the newest form once the release is switched", () => {
    expect(toMessage(message, newest, forms)).toEqual(message);
    expect(fromMessage(message, forms)).toEqual(message);
  });

  it.each([{ ...message, v: newest + 1 }, { until: "2026-11-22" }, "no message", null])(
    "of another version, or without one, stays unchanged: %j",
    (other) => {
      expect(fromMessage(other, forms)).toBe(other);
    },
  );
});
