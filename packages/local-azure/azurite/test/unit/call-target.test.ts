import { describe, expect, it } from "vitest";
import { callTarget } from "../../call-target.ts";

const place = (method: string, path: string, body = "") =>
  callTarget({ method, path: `/devstoreaccount1/${path}`, body });

describe("the part of the tables that a call to Table Storage affects", () => {
  it.each([
    ["a read of a row", "GET", "Payments(PartitionKey='p',RowKey='r')"],
    ["a merge", "PATCH", "Payments(PartitionKey='p',RowKey='r')?x=1"],
    ["a deletion", "DELETE", "Payments(PartitionKey='p',RowKey='PartitionKey=%27q%27')"],
    ["a query of one partition", "GET", "Payments()?$filter=PartitionKey%20eq%20'p'%20and%20RowKey%20ge%20'a'"],
  ])("is the partition, for %s", (_, method, path) => {
    expect(place(method, path)).toEqual({ table: "Payments", partition: "p" });
  });

  it("is the partition of the added row", () => {
    expect(place("POST", "Payments", '{"PartitionKey":"p","RowKey":"r"}')).toEqual({
      table: "Payments",
      partition: "p",
    });
  });

  it.each([
    ["a quote", "it''s", "it's"],
    ["a character that is encoded", "a%20b%2Fc", "a b/c"],
    ["nothing", "", ""],
  ])("reads a key with %s", (_, written, partition) => {
    expect(place("GET", `Payments(PartitionKey='${written}',RowKey='r')`)).toEqual({ table: "Payments", partition });
  });

  it.each([
    ["a query of everything", "GET", "Payments()", ""],
    [
      "a query of two partitions",
      "GET",
      "Payments()?$filter=PartitionKey%20eq%20'p'%20or%20PartitionKey%20eq%20'q'",
      "",
    ],
    ["a query of a range", "GET", "Payments()?$filter=PartitionKey%20ge%20'p'", ""],
    ["the creation of the table", "POST", "Tables", '{"TableName":"Payments"}'],
    ["its deletion", "DELETE", "Tables('Payments')", ""],
    ["a row that is no JSON", "POST", "Payments", "{"],
  ])("is the table, for %s", (_, method, path, body) => {
    expect(place(method, path, body)).toEqual({ table: "Payments" });
  });

  it.each([
    ["the list of tables", "GET", "Tables"],
    ["the service's properties", "GET", "?restype=service&comp=properties"],
    ["an address that is none", "GET", "%zz/../"],
    ["an empty transaction", "POST", "$batch"],
  ])("is all tables, for %s", (_, method, path) => {
    expect(place(method, path)).toEqual({ tables: "all" });
  });

  it.each([
    [
      "changes a row",
      "PATCH http://127.0.0.1:10002/devstoreaccount1/Orders(PartitionKey='p',RowKey='r') HTTP/1.1",
      "{}",
    ],
    ["adds a row", "POST http://127.0.0.1:10002/devstoreaccount1/Orders HTTP/1.1", '{"PartitionKey":"p","RowKey":"r"}'],
  ])("is that of its first call, for a transaction that %s", (_, line, row) => {
    const lines = ["--batch_1", "content-type: multipart/mixed; boundary=changeset_1", "", "--changeset_1"];
    const call = [
      ...lines,
      "content-type: application/http",
      "",
      line,
      "accept: application/json",
      "",
      "", // as the official client writes it
      row,
      "--changeset_1",
    ];
    expect(place("POST", "$batch", call.join("\r\n"))).toEqual({ table: "Orders", partition: "p" });
  });
});
