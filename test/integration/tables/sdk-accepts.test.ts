import { createServer, type ServerResponse } from "node:http";
import { TableClient } from "@azure/data-tables";
import { expect, it } from "vitest";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";
import { tablesConnection } from "../../../packages/workbench/stack/azurite.ts";

// Responses that are not Table Storage's response to the request, but that Microsoft's client accepts as a success. Our own reader refuses
// each of them (unexpected-responses.test.ts). If one of these tests fails, the client has become stricter: docs/adr/008 says what that is
// worth.

const client = async (answer: (response: ServerResponse) => void): Promise<TableClient> => {
  const port = await listening(
    createServer((request, response) => void request.resume().on("end", () => answer(response))),
  );
  const retryOptions = { maxRetries: 0 };
  return TableClient.fromConnectionString(tablesConnection(port), "rows", {
    allowInsecureConnection: true,
    retryOptions,
  });
};

const html = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "text/html" }).end("<html></html>");
const json = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

const row = { partitionKey: "p", rowKey: "r" };
const other = { PartitionKey: "q", RowKey: "s", "odata.etag": 'W/"1"' };
async function listed(table: TableClient, filter = ""): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const found of table.listEntities({ queryOptions: { filter } })) rows.push(found);
  return rows;
}
const committed = async (table: TableClient) =>
  table.submitTransaction([
    ["create", row],
    ["create", { ...row, rowKey: "s" }],
  ]);

const STEP = 'Content-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nETag: W/"1"\r\n\r\n\r\n';
const ONE_OF_TWO = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n${STEP}--c--\r\n--b--\r\n`;
const oneOfTwo = (response: ServerResponse) =>
  void response.writeHead(202, { "content-type": "multipart/mixed; boundary=b" }).end(ONE_OF_TWO);

it.each<[string, (response: ServerResponse) => void, (table: TableClient) => Promise<unknown>]>([
  ["a query answered with a page of HTML: it has no rows", html(200), (table) => listed(table)],
  ["a group answered with a page of HTML: it is committed", html(202), committed],
  ["a group answered with an empty object: it is committed", json({}), committed],
  ["a group of two answered for one: it is committed", oneOfTwo, committed],
  ["a read answered with another row", json(other), (table) => table.getEntity("p", "r")],
  [
    "an insert answered without an ETag",
    (response) => void response.writeHead(204).end(),
    (table) => table.createEntity(row),
  ],
  [
    "a query of a partition answered with rows of another",
    json({ value: [other] }),
    (table) => listed(table, "PartitionKey eq 'p'"),
  ],
])("Microsoft's client accepts as a success %s", async (_, answer, call) => {
  await expect(call(await client(answer))).resolves.toBeDefined();
});
