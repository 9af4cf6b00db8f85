import { beforeEach, expect, it } from "vitest";
import { newMirror, type Mirror } from "../../../live/mirror.ts";

let changes: string[];
let mirror: Mirror;
beforeEach(() => {
  changes = [];
  mirror = newMirror((table, { partition, prefix = "" }) => changes.push(`${table} ${partition} ${prefix}`.trim()), 2);
});

const row = (partitionKey: string, rowKey: string, n = 0) => ({
  partitionKey,
  rowKey,
  etag: `W/"${n}"`,
  properties: {
    n,
    "n@odata.type": "Edm.Int32",
    Timestamp: "2026-11-21T10:00:00Z",
    "Timestamp@odata.type": "Edm.DateTime",
  },
});
const take = (...rows: object[]) => mirror.take({ table: "terminals", rows: rows as ReturnType<typeof row>[] });
const keysOf = async (partition: string, prefix = "") =>
  (await mirror.tables.terminals.withPrefix(partition, prefix)).map(({ rowKey }) => rowKey);

it("has the published rows, without the members that the service adds", async () => {
  take(row("p", "a", 1));
  expect(await mirror.tables.terminals.get("p", "a")).toEqual({
    partitionKey: "p",
    rowKey: "a",
    etag: 'W/"1"',
    columns: { n: 1 },
  });
  expect(await mirror.tables.terminals.get("p", "b")).toBeUndefined();
  expect(await mirror.tables.alerts.get("p", "a")).toBeUndefined();
});

it("has the marks by which open alerts are found, and no marks of payments", async () => {
  mirror.take({ table: "alerts", rows: [row("alerts", "open~s1")] as ReturnType<typeof row>[] });
  take(row("p", "open~payment~s1~now"), row("p", "changed~payment~2026-11-21~s1"), row("p", "terminal"));
  expect(await mirror.tables.alerts.withPrefix("alerts", "open~")).toHaveLength(1);
  expect(await keysOf("p")).toEqual(["terminal"]);
});

it("lists the rows of a prefix in the order of their keys, up to the requested number", async () => {
  take(row("p", "b~2"), row("p", "b~10"), row("p", "a"), row("p", "c"), row("p", "b~1"));
  expect(await keysOf("p", "b~")).toEqual(["b~1", "b~10", "b~2"]);
  expect(await mirror.tables.terminals.withPrefix("p", "", 2)).toMatchObject([{ rowKey: "a" }, { rowKey: "b~1" }]);
  expect(await keysOf("q")).toEqual([]);
  const after = async (rowKey: string) =>
    (await mirror.tables.terminals.after("p", { prefix: "b~", rowKey }, 2)).map((row) => row.rowKey);
  expect(await after("")).toEqual(["b~1", "b~10"]);
  expect(await after("b~1")).toEqual(["b~10", "b~2"]);
  expect(await after("b~2")).toEqual([]);
});

it("names a partition once for rows that were committed together", () => {
  take(row("p", "a"), row("p", "b"));
  take({ partitionKey: "p", rowKey: "a" });
  expect(changes).toEqual(["terminals p", "terminals p"]);
});

it("loses a row that was removed, and all of them when the tables start again", async () => {
  take(row("p", "a"), row("p", "b"));
  take({ partitionKey: "p", rowKey: "a" });
  expect(await keysOf("p")).toEqual(["b"]);
  mirror.take({ begins: true });
  expect(await keysOf("p")).toEqual([]);
  expect(changes).toEqual(["terminals p", "terminals p", "terminals p"]);
});

it("loses the partition with the oldest write if there are too many, and never shows a part of it", async () => {
  take(row("p", "a"));
  take(row("q", "a"));
  take(row("p", "b"));
  take(row("r", "a"));
  expect(await keysOf("q")).toEqual([]);
  expect(await keysOf("p")).toEqual(["a", "b"]);
  take(row("q", "b"));
  expect(await keysOf("q")).toEqual([]);
});

it("keeps the payments of a terminal one by one, and loses the oldest without the terminal's other rows", async () => {
  take(row("t", "payment~one~now"), row("t", "payment~one~history~1"));
  take(row("t", "terminal"));
  take(row("t", "payment~two~now"));
  expect(changes).toEqual(["terminals t payment~one~", "terminals t", "terminals t payment~two~"]);
  expect(await keysOf("t")).toEqual(["payment~two~now", "terminal"]);
});

it("accepts no write", async () => {
  await expect(mirror.tables.terminals.submit("p", [])).rejects.toThrow("read only");
  await expect(mirror.tables.terminals.remove("p", "a", "*")).rejects.toThrow("read only");
});

it("leaves out tables that are not the product's", () => {
  mirror.take({ table: "another", rows: [row("p", "a")] });
  expect(changes).toEqual([]);
});
