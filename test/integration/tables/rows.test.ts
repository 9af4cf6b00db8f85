import { expect, it } from "vitest";
import * as z from "zod";
import { Conflict } from "../../../shared/ports/failures.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import { onBothStores } from "./stores.ts";

const insert = (rowKey: string, columns = {}): Operation => ({ kind: "insert", rowKey, columns });

onBothStores("rows", (newTable) => {
  it("returns a written row with an ETag, and undefined for an absent one", async () => {
    const rows = await newTable();
    await rows.submit("p", [insert("a", { text: "å/#?'", whole: 12, half: 0.5, yes: true })]);
    const row = await rows.get("p", "a");
    expect(row).toMatchObject({ rowKey: "a", columns: { text: "å/#?'", whole: 12, half: 0.5, yes: true } });
    expect(row?.etag).toBeTruthy();
    expect(await rows.get("p", "b")).toBeUndefined();
    expect(await rows.get("q", "a")).toBeUndefined();
  });

  it("returns the columns of a record unchanged, alone and in a group, whatever its characters", async () => {
    const rows = await newTable();
    const schema = z.object({ text: z.string() });
    const texts = [29_970, 29_971].map((length) => "x".repeat(length) + "😀".repeat(30)); // cut before a pair, and within one
    for (const [i, text] of [...texts, "a\u2028b\u2029c", "a\ud83db\ude00c", "\0\uffff\u{10ffff}"].entries()) {
      const columns = toColumns({ text });
      await rows.submit("alone", [insert(`${i}`, columns)]);
      await rows.submit("group", [insert(`${i}`, columns), insert(`${i}~beside`)]);
      for (const partition of ["alone", "group"]) {
        const row = await rows.get(partition, `${i}`);
        expect(row?.columns).toEqual(columns);
        expect(row && fromRow(row, schema)).toEqual({ text });
      }
    }
  });

  it("reads a whole table in the order of its keys, on all pages, and from the partition after a named one", async () => {
    const rows = await newTable();
    const partitions = ["a", "b~1", "b~2", "å'#", "z"].map(encodeURIComponent).toSorted();
    for (const partition of partitions) {
      const count = partition === "b~2" ? 1_100 : 2; // a page has a thousand rows
      for (let from = 0; from < count; from += 100)
        await rows.submit(
          partition,
          Array.from({ length: Math.min(100, count - from) }, (_, i) => insert(String(from + i).padStart(5, "0"))),
        );
    }
    const read = async (after?: string) => {
      const keys: string[] = [];
      for await (const { partitionKey, rowKey } of rows.rowsAfter(after)) keys.push(`${partitionKey} ${rowKey}`);
      return keys;
    };
    const all = await read();
    expect(all).toHaveLength(1_108);
    expect(all).toEqual(all.toSorted());
    expect(await read("b~2")).toEqual(all.filter((key) => key > "b~2 ~"));
    expect(await read("z")).toEqual([]);
    for await (const row of (await newTable()).rowsAfter()) expect(row).toBeUndefined();
  });

  it("refuses to insert over a row, alone and in a group, and leaves nothing of the group", async () => {
    const rows = await newTable();
    await rows.submit("p", [insert("a")]);
    await expect(rows.submit("p", [insert("a")])).rejects.toThrow(Conflict);
    await expect(rows.submit("p", [insert("b"), insert("a")])).rejects.toThrow(Conflict);
    expect(await rows.get("p", "b")).toBeUndefined();
  });

  it("replaces only the version that was read, alone and in a group", async () => {
    const rows = await newTable();
    await rows.submit("p", [insert("a", { n: 1 })]);
    const etag = (await rows.get("p", "a"))?.etag ?? "";
    await rows.submit("p", [{ kind: "replace", rowKey: "a", columns: { n: 2 }, etag }]);
    const stale: Operation = { kind: "replace", rowKey: "a", columns: { n: 3 }, etag };
    await expect(rows.submit("p", [stale])).rejects.toThrow(Conflict);
    await expect(rows.submit("p", [insert("b"), stale])).rejects.toThrow(Conflict);
    expect((await rows.get("p", "a"))?.columns["n"]).toBe(2);
    expect(await rows.get("p", "b")).toBeUndefined();
  });

  it("returns the new ETag of each written row, and none for a removal", async () => {
    const rows = await newTable();
    const etagOf = async (rowKey: string) => (await rows.get("p", rowKey))?.etag;
    const [inserted] = await rows.submit("p", [insert("a")]);
    expect(inserted).toBe(await etagOf("a"));
    const [replaced] = await rows.submit("p", [{ kind: "replace", rowKey: "a", columns: {}, etag: inserted ?? "" }]);
    expect(replaced).toBe(await etagOf("a"));
    expect(replaced).not.toBe(inserted);
    const [overwritten] = await rows.submit("p", [{ kind: "overwrite", rowKey: "a", columns: {} }]);
    expect(overwritten).toBe(await etagOf("a"));

    await rows.submit("p", [insert("d")]);
    const group = await rows.submit("p", [
      insert("b"),
      { kind: "replace", rowKey: "a", columns: {}, etag: overwritten ?? "" },
      { kind: "discard", rowKey: "d" },
      { kind: "overwrite", rowKey: "c", columns: {} },
    ]);
    expect(group).toEqual([await etagOf("b"), await etagOf("a"), undefined, await etagOf("c")]);
    expect(group).not.toContain(overwritten);
    expect(await rows.submit("p", [{ kind: "discard", rowKey: "c" }])).toEqual([undefined]);
  });

  it("replaces whole rows: columns that are not named are gone", async () => {
    const rows = await newTable();
    await rows.submit("p", [insert("a", { old: "x", kept: "x" })]);
    const etag = (await rows.get("p", "a"))?.etag ?? "";
    await rows.submit("p", [{ kind: "replace", rowKey: "a", columns: { kept: "y" }, etag }]);
    expect((await rows.get("p", "a"))?.columns).toEqual({ kept: "y" });
  });

  it("overwrites a row, present or absent", async () => {
    const rows = await newTable();
    await rows.submit("p", [{ kind: "overwrite", rowKey: "a", columns: { n: 1 } }]);
    await rows.submit("p", [{ kind: "overwrite", rowKey: "a", columns: { n: 2 } }]);
    expect((await rows.get("p", "a"))?.columns).toEqual({ n: 2 });
  });

  it("removes only the version that was read; a row that is gone is a conflict too", async () => {
    const rows = await newTable();
    await rows.submit("p", [insert("a", { n: 1 })]);
    const etag = (await rows.get("p", "a"))?.etag ?? "";
    await rows.submit("p", [{ kind: "replace", rowKey: "a", columns: { n: 2 }, etag }]);
    await expect(rows.remove("p", "a", etag)).rejects.toThrow(Conflict);
    await rows.remove("p", "a", (await rows.get("p", "a"))?.etag ?? "");
    expect(await rows.get("p", "a")).toBeUndefined();
    await expect(rows.remove("p", "a", etag)).rejects.toThrow(Conflict);
    await expect(rows.submit("p", [{ kind: "replace", rowKey: "a", columns: {}, etag }])).rejects.toThrow(Conflict);
  });

  it("removes within a group only the version that was read; otherwise the whole group fails", async () => {
    const rows = await newTable();
    const [first = "", other = ""] = await rows.submit("p", [insert("a"), insert("b")]);
    const remove = (rowKey: string, etag: string): Operation => ({ kind: "remove", rowKey, etag });
    const [second = ""] = await rows.submit("p", [{ kind: "replace", rowKey: "a", columns: { n: 2 }, etag: first }]);
    await expect(rows.submit("p", [remove("a", first), insert("c")])).rejects.toThrow(Conflict);
    await expect(rows.submit("p", [insert("c"), remove("gone", first)])).rejects.toThrow(Conflict);
    expect(await rows.get("p", "c")).toBeUndefined();
    expect((await rows.get("p", "a"))?.columns).toEqual({ n: 2 });

    expect(await rows.submit("p", [remove("a", second), insert("c")])).toEqual([undefined, expect.any(String)]);
    expect(await rows.get("p", "a")).toBeUndefined();
    expect(await rows.submit("p", [remove("b", other)])).toEqual([undefined]);
    expect((await rows.withPrefix("p", "")).map((row) => row.rowKey)).toEqual(["c"]);
  });

  it("lists the rows whose key has a prefix, in order, of that partition only", async () => {
    const rows = await newTable();
    const keys = [
      "inbox~2026-11-21T10:00:00.000Z~b~000002",
      "inbox~2026-11-21T10:00:00.000Z~a~000010",
      "inboy",
      "inbox",
    ];
    await rows.submit(
      "p",
      keys.map((key) => insert(key)),
    );
    await rows.submit("q", [insert("inbox~x")]);
    expect((await rows.withPrefix("p", "inbox~")).map((row) => row.rowKey)).toEqual([keys[1], keys[0]]);
  });

  it("lists a number of rows after a key, whether or not it exists, within the prefix and the partition", async () => {
    const rows = await newTable();
    await rows.submit(
      "p",
      ["made", "made~1", "made~10", "made~1~x", "made~2", "madf"].map((key) => insert(key)),
    );
    await rows.submit("q", [insert("made~3")]);
    const after = async (rowKey: string, atMost = 10, before?: string) =>
      (await rows.after("p", { prefix: "made~", rowKey, ...(before && { before }) }, atMost)).map((row) => row.rowKey);
    expect(await after("")).toEqual(["made~1", "made~10", "made~1~x", "made~2"]);
    expect(await after("made~")).toEqual(["made~1", "made~10", "made~1~x", "made~2"]);
    expect(await after("made~1")).toEqual(["made~10", "made~1~x", "made~2"]);
    expect(await after("made~1", 2)).toEqual(["made~10", "made~1~x"]);
    expect(await after("made~11")).toEqual(["made~1~x", "made~2"]);
    expect(await after("made~2")).toEqual([]);
    expect(await after("made~1", 10, "made~2")).toEqual(["made~10", "made~1~x"]);
    expect(await after("made~1", 10, "made~1")).toEqual([]);
    expect(await after("made~10", 10, "z")).toEqual(["made~1~x", "made~2"]);
    expect(await after("z")).toEqual([]);
  });

  it("lists a thousand rows after a key in one response, and none twice over all responses", async () => {
    const rows = await newTable();
    const keys = Array.from({ length: 1_100 }, (_, i) => `made~${String(i).padStart(5, "0")}`);
    for (let from = 0; from < keys.length; from += 100)
      await rows.submit(
        "p",
        keys.slice(from, from + 100).map((key) => insert(key)),
      );
    const first = await rows.after("p", { prefix: "made~", rowKey: "" }, 1_000);
    const rest = await rows.after("p", { prefix: "made~", rowKey: first.at(-1)?.rowKey ?? "" }, 1_000);
    expect([...first, ...rest].map(({ rowKey }) => rowKey)).toEqual(keys);
  });
});
