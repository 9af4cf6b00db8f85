import { describe, expect, it } from "vitest";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import {
  toFoundRow,
  toGroupWritten,
  toPage,
  type TableResponse,
} from "../../../shared/adapters/tables/table-responses.ts";
import { fc } from "../../support/drawn.ts";

const JSON_TYPE = "application/json;odata=minimalmetadata;streaming=true;charset=utf-8";
const etag = `W/"datetime'2026-11-22T08%3A28%3A15.2045017Z'"`;

const answer = (status: number, contentType: string, text: string): TableResponse => ({
  status,
  contentType,
  text,
  header: () => undefined,
});
const json = (value: unknown) => answer(200, JSON_TYPE, JSON.stringify(value));
const entity = { "odata.metadata": "m", "odata.etag": etag, PartitionKey: "p", RowKey: "r", Timestamp: "2026" };

const MULTIPART = "multipart/mixed; boundary=batchresponse_1";
/** As Table Storage writes it. */
function groupText(steps: readonly string[]): string {
  const parts = steps.map(
    (step) =>
      `--changesetresponse_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${step}\r\n`,
  );
  return `--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_2\r\n\r\n${parts.join("")}--changesetresponse_2--\r\n--batchresponse_1--\r\n`;
}
const written = (etag: string) =>
  `HTTP/1.1 204 No Content\r\nContent-ID: 1\r\nX-Content-Type-Options: nosniff\r\nDataServiceVersion: 3.0;\r\nETag: ${etag}\r\n\r\n`;
const removed = "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\n\r\n";
const refused = (status: string, code: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\n\r\n{"odata.error":{"code":"${code}","message":{"lang":"en-US","value":"1:No.\\nTime:2026"}}}`;

const operations: readonly Operation[] = [
  { kind: "insert", rowKey: "a", columns: {} },
  { kind: "remove", rowKey: "b", etag },
  { kind: "overwrite", rowKey: "c", columns: {} },
];
const whole = groupText([written("one"), removed, written("two")]);
const read = (text: string, type = MULTIPART, status = 202) => toGroupWritten(answer(status, type, text), operations);

describe("the response to a group", () => {
  it("returns its ETags in order", () => {
    expect(read(whole)).toEqual(["one", undefined, "two"]);
    expect(read(whole, 'Multipart/Mixed; boundary="batchresponse_1"')).toEqual(["one", undefined, "two"]);
  });

  it("is Unavailable wherever it breaks off", () => {
    for (const text of [whole, groupText([refused("409 Conflict", "EntityAlreadyExists")])]) {
      for (let length = 0; length < text.trimEnd().length; length++)
        expect(() => read(text.slice(0, length))).toThrow(Unavailable);
    }
  });

  it("is neither a success nor a conflict when any of its characters is lost", () => {
    const essential = /--(?:batch|changeset)response|HTTP|\d{3} |ETag/g;
    for (const { index } of whole.matchAll(essential))
      expect(() => read(whole.slice(0, index) + whole.slice(index + 1))).toThrow(Unavailable);
  });

  it.each([
    ["409 Conflict", "EntityAlreadyExists"],
    ["412 Precondition Failed", "UpdateConditionNotSatisfied"],
    ["404 Not Found", "ResourceNotFound"],
  ])("is a conflict with %s %s", (status, code) => {
    expect(() => read(groupText([refused(status, code)]))).toThrow(new Conflict(code));
  });

  it.each([
    ["503 Service Unavailable", "ServerBusy"],
    ["500 Internal Server Error", "OperationTimedOut"],
    ["404 Not Found", "TableNotFound"],
    ["403 Forbidden", "AuthorizationFailure"],
  ])("is temporary with %s %s", (status, code) => {
    expect(() => read(groupText([refused(status, code)]))).toThrow(Unavailable);
  });

  it("is an error in the platform itself when the service says that the request is wrong", () => {
    const act = () => read(groupText([refused("400 Bad Request", "InvalidDuplicateRow")]));
    expect(act).toThrow("InvalidDuplicateRow");
    expect(act).not.toThrow(Unavailable);
    expect(act).not.toThrow(Conflict);
  });

  it.each([
    ["too few answers", groupText([written("one"), removed])],
    ["too many", groupText([written("one"), removed, written("two"), written("three")])],
    ["none", groupText([])],
    ["a written row without an ETag", groupText([removed, removed, written("two")])],
    ["an ETag that is none", groupText([written("o ne"), removed, written("two")])],
    ["a refusal among successes", groupText([written("one"), refused("409 Conflict", "EntityAlreadyExists"), removed])],
    ["a refusal without a code", groupText(["HTTP/1.1 409 Conflict\r\n\r\n"])],
    ["a refusal in HTML", groupText(["HTTP/1.1 409 Conflict\r\nContent-Type: text/html\r\n\r\n<p>Conflict</p>"])],
    ["an unknown success", groupText([written("one").replace("204", "200"), removed, written("two")])],
    ["a redirection", groupText(["HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"])],
    ["two batches", whole + whole],
    [
      "two changesets",
      whole.replace("--changesetresponse_2--\r\n", `$&${whole.slice(0, whole.indexOf("--batchresponse_1--"))}`),
    ],
    ["something before it", `HTTP/1.1 204 No Content\r\n${whole}`],
    ["something after it", `${whole}HTTP/1.1 409 Conflict\r\n`],
    ["parts that are not HTTP", whole.replaceAll("application/http", "text/plain")],
    ["a changeset that is no multipart", whole.replace("multipart/mixed; boundary=changesetresponse_2", "text/plain")],
    ["another boundary", whole.replaceAll("batchresponse_1", "batchresponse_3")],
    ["HTML", "<html>HTTP/1.1 204 No Content</html>"],
    ["nothing", ""],
  ])("is temporary, with an unknown outcome, with %s", (_, text) => {
    expect(() => read(text)).toThrow(Unavailable);
  });

  it.each([
    [200, MULTIPART],
    [204, MULTIPART],
    [302, MULTIPART],
    [202, "text/html"],
    [202, JSON_TYPE],
    [202, "multipart/mixed"],
    [409, "text/html"],
    [400, "text/html"],
  ])("is temporary, with an unknown outcome, as %i with %s", (status, type) => {
    expect(() => read(whole, type, status)).toThrow(Unavailable);
  });

  it("is temporary or keeps its meaning under any damage", () => {
    const mangled = fc
      .array(fc.tuple(fc.nat(whole.length), fc.nat(20), fc.string()), { minLength: 1, maxLength: 4 })
      .map((edits) => edits.reduce((text, [at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut), whole));
    fc.assert(
      fc.property(mangled, (text) => {
        try {
          const etags = read(text);
          expect(etags.map((etag) => etag === undefined)).toEqual([false, true, false]);
        } catch (error) {
          expect(error).toBeInstanceOf(Unavailable);
        }
      }),
    );
  });
});

describe("the response to a read", () => {
  const found = (value: unknown) => toFoundRow(json(value), "p", "r");

  it("is a row with the columns that are texts, numbers and booleans", () => {
    const typed = {
      text: "å",
      whole: 12,
      half: 0.5,
      "half@odata.type": "Edm.Double",
      yes: true,
      big: "12",
      "big@odata.type": "Edm.Int64",
      at: "2026",
      "at@odata.type": "Edm.DateTime",
      none: null,
      list: [1],
    };
    const row = found({ ...entity, ...typed });
    expect(row).toEqual({
      partitionKey: "p",
      rowKey: "r",
      etag,
      columns: { text: "å", whole: 12, half: 0.5, yes: true },
    });
  });

  it.each([
    ["another row", { ...entity, RowKey: "s" }],
    ["another partition's row", { ...entity, PartitionKey: "q" }],
    ["a row without an ETag", { ...entity, "odata.etag": undefined }],
    ["a row with an ETag that is none", { ...entity, "odata.etag": '"1"\r\nif-match: *' }],
    ["a row without keys", { "odata.etag": etag }],
    ["a list", [entity]],
    ["null", null],
    ["a text", "row"],
  ])("is temporary, with an unknown outcome, with %s", (_, value) => {
    expect(() => found(value)).toThrow(Unavailable);
  });

  it.each([
    [200, "text/html", "<html>"],
    [200, "text/html", JSON.stringify(entity)],
    [200, JSON_TYPE, "{"],
    [204, JSON_TYPE, JSON.stringify(entity)],
    [301, JSON_TYPE, JSON.stringify(entity)],
    [404, "text/html", "not found"],
    [404, JSON_TYPE, "null"],
    [400, "text/html", "bad request"],
    [409, JSON_TYPE, "{}"],
    [409, JSON_TYPE, '{"odata.error":{"code":"TableBeingDeleted"}}'],
  ])("is temporary, with an unknown outcome, as %i %s %s", (status, type, text) => {
    expect(() => toFoundRow(answer(status, type, text), "p", "r")).toThrow(Unavailable);
  });
});

describe("the response to a query", () => {
  const page = (value: unknown) => toPage(json(value), { partitionKey: "p", prefix: "r" });

  it("holds its rows", () => {
    expect(page({ value: [entity] }).rows.map((row) => row.rowKey)).toEqual(["r"]);
    expect(page({ value: [] })).toEqual({ rows: [], next: undefined });
  });

  it.each([
    ["no list", { value: entity }],
    ["nothing", {}],
    ["a row of another partition", { value: [entity, { ...entity, PartitionKey: "q" }] }],
    ["a row that was not asked for", { value: [{ ...entity, RowKey: "s" }] }],
    ["what is no row", { value: [entity, null] }],
  ])("is temporary, with an unknown outcome, with %s", (_, value) => {
    expect(() => page(value)).toThrow(Unavailable);
  });

  it("is temporary, with an unknown outcome, with a row outside the named keys", () => {
    const between = (after: string, before: string) =>
      toPage(json({ value: [entity] }), { partitionKey: "p", prefix: "r", after, before }).rows.length;
    expect(between("q", "s")).toBe(1);
    expect(() => between("r", "s")).toThrow(Unavailable);
    expect(() => between("q", "r")).toThrow(Unavailable);
  });
});
