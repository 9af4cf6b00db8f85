import { describe, expect, it } from "vitest";
import type { Operation } from "../../../shared/ports/rows.ts";
import { readPage, readRow, writeGroup, writeRow } from "../../../shared/adapters/tables/table-requests.ts";
import { fc } from "../../support/drawn.ts";

/** Any text, with many characters that are special in a URL or a literal. */
const text = fc
  .array(fc.oneof(fc.constantFrom("'", "''", "%27", "%", "&", "+", " ", "')"), fc.string({ unit: "binary" })))
  .map((texts) => texts.join("").toWellFormed());

/** Reads a literal as OData defines it back from a URL. */
const read = (literal = "") => decodeURIComponent(literal).replaceAll("''", "'");
const LITERAL = "'((?:[^']|'')*)'";

describe("a request for rows", () => {
  it("names the row in a path of plain characters, from which its keys can be read back unchanged", () => {
    fc.assert(
      fc.property(text, text, (partitionKey, rowKey) => {
        const { path } = readRow("Payments", partitionKey, rowKey);
        expect(path).toMatch(/^[!-~]*$/);
        const [, partition, row] =
          new RegExp(`^/Payments\\(PartitionKey=${LITERAL},RowKey=${LITERAL}\\)$`).exec(path) ?? [];
        expect([read(partition), read(row)]).toEqual([partitionKey, rowKey]);
        expect(path).not.toMatch(/[?#/\\](?!Payments)/);
      }),
    );
  });

  it("selects exactly the rows of a partition that begin with the prefix", () => {
    fc.assert(
      fc.property(text, text, (partitionKey, prefix) => {
        const query = { partitionKey, prefix, atMost: 7 };
        const { path } = readPage("Payments", query, { partitionKey: prefix, rowKey: partitionKey });
        const { searchParams } = new URL(`http://tables${path}`);
        expect(Object.fromEntries(searchParams)).toEqual({
          $filter: `PartitionKey eq '${partitionKey.replaceAll("'", "''")}' and RowKey ge '${prefix.replaceAll("'", "''")}' and RowKey lt '${prefix.replaceAll("'", "''")}~~'`,
          $top: "7",
          NextPartitionKey: prefix,
          NextRowKey: partitionKey,
        });
      }),
    );
  });

  it("begins after the named key, and never before the prefix", () => {
    const rowKeys = (after: string, before?: string) =>
      new URL(
        `http://tables${readPage("Sessions", { partitionKey: "p", prefix: "made~", after, before, atMost: 7 }).path}`,
      ).searchParams
        .get("$filter")
        ?.replace("PartitionKey eq 'p' and ", "");
    expect(rowKeys("made~1'")).toBe("RowKey gt 'made~1''' and RowKey lt 'made~~~'");
    expect(rowKeys("made~")).toBe("RowKey gt 'made~' and RowKey lt 'made~~~'");
    expect(rowKeys("")).toBe("RowKey ge 'made~' and RowKey lt 'made~~~'");
    expect(rowKeys("made~1", "made~2'")).toBe("RowKey gt 'made~1' and RowKey lt 'made~2'''");
    expect(rowKeys("made~1", "z")).toBe("RowKey gt 'made~1' and RowKey lt 'made~~~'");
  });

  it.each(["", "a b", 'W/"1"\r\nif-match: *', "é"])("throws for %j instead of an ETag", (etag) => {
    expect(() => writeRow("Payments", "p", { kind: "remove", rowKey: "r", etag })).toThrow(TypeError);
    expect(() => writeRow("Payments", "p", { kind: "replace", rowKey: "r", columns: {}, etag })).toThrow(TypeError);
  });

  it("holds a group's operations in their order, whatever they contain", () => {
    const line = fc.constantFrom(
      "\r\n",
      "--changeset_1",
      "--changeset_1--\r\n",
      "--batch_1--",
      "DELETE http://x HTTP/1.1",
    );
    const anyText = fc.oneof(
      text,
      fc.array(fc.oneof(line, text)).map((texts) => texts.join("")),
    );
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      fc.record({
        kind: fc.constantFrom("insert", "overwrite"),
        rowKey: anyText,
        columns: fc.record({ text: anyText }),
      }),
      fc.record({
        kind: fc.constant("replace"),
        rowKey: anyText,
        columns: fc.record({ text: anyText }),
        etag: fc.constant('W/"1"'),
      }),
      fc.record({ kind: fc.constant("discard"), rowKey: anyText }),
      fc.record({ kind: fc.constant("remove"), rowKey: anyText, etag: fc.constant('W/"1"') }),
    );
    fc.assert(
      fc.property(anyText, fc.array(operation, { minLength: 2, maxLength: 5 }), (partition, operations) => {
        const { body = "" } = writeGroup({ address: "http://a", table: "T", id: "1" }, partition, operations);
        const [before, ...parts] = body.split("--changeset_1\r\n");
        expect(before).toBe("--batch_1\r\ncontent-type: multipart/mixed; boundary=changeset_1\r\n\r\n");
        expect(body.endsWith("\r\n--changeset_1--\r\n--batch_1--\r\n")).toBe(true);
        expect(parts).toHaveLength(operations.length);
        for (const [i, operation] of operations.entries()) {
          const alone = writeRow("T", partition, operation);
          const [, request = "", content = ""] = (parts[i] ?? "").split("\r\n\r\n");
          expect(request.split("\r\n")[0]).toBe(`${alone.method} http://a${alone.path} HTTP/1.1`);
          expect(request.toLowerCase().split("\r\n").slice(1)).toEqual(
            Object.entries(alone.headers).map(([name, value]) => `${name}: ${value}`.toLowerCase()),
          );
          expect(content.split("\r\n")[0]).toBe(alone.body ?? "");
        }
      }),
    );
  });
});
