import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { tablesConnection } from "../../../packages/workbench/stack/azurite.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { azureRows } from "../../../shared/adapters/tables/azure-rows.ts";
import { tableClient } from "../../../shared/adapters/tables/azure-tables.ts";
import type { Operation } from "../../../shared/ports/rows.ts";

/** Rows on a service that gives every request the same response. Without a response it closes the connection. */
async function rowsThatAre(answer?: { readonly status: number; readonly code: string }) {
  const server = createServer((request, response) => {
    if (!answer) return void request.socket.destroy();
    const body = JSON.stringify({ "odata.error": { code: answer.code, message: { lang: "en-US", value: "no" } } });
    response.writeHead(answer.status, { "content-type": "application/json", "x-ms-error-code": answer.code }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = tableClient(tablesConnection(port), "terminals", { retryOptions: { maxRetries: 0 } });
  return azureRows(client);
}

const insert: Operation = { kind: "insert", rowKey: "r", columns: {} };

describe("a response of the tables", () => {
  it.each([
    [401, "AuthenticationFailed"],
    [403, "AuthorizationFailure"],
    [403, "AccountIsDisabled"],
    [404, "TableNotFound"],
    [408, "OperationTimedOut"],
    [429, "TooManyRequests"],
    [500, "InternalError"],
    [503, "ServerBusy"],
  ])("%i %s is temporary: it is retried, and callers get 503", async (status, code) => {
    const rows = await rowsThatAre({ status, code });
    await expect(rows.get("p", "r")).rejects.toThrow(Unavailable);
    await expect(rows.withPrefix("p", "r")).rejects.toThrow(Unavailable);
    await expect(rows.after("p", { prefix: "r", rowKey: "r1" }, 1)).rejects.toThrow(Unavailable);
    await expect(rows.submit("p", [insert])).rejects.toThrow(Unavailable);
    await expect(rows.remove("p", "r", "*")).rejects.toThrow(Unavailable);
  });

  it("that never comes is temporary, too", async () => {
    const rows = await rowsThatAre();
    await expect(rows.get("p", "r")).rejects.toThrow(Unavailable);
    await expect(rows.submit("p", [insert])).rejects.toThrow(Unavailable);
  });

  it.each([
    [400, "PropertyValueTooLarge"],
    [400, "InvalidInput"],
    [413, "RequestBodyTooLarge"],
    [405, "MethodNotAllowed"],
  ])("%i %s is an error in the platform itself, not an outage", async (status, code) => {
    const thrown: unknown = await (await rowsThatAre({ status, code })).submit("p", [insert]).catch((error) => error);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown).not.toBeInstanceOf(Unavailable);
    expect(thrown).not.toBeInstanceOf(Conflict);
  });

  it("to a write without an ETag is temporary: its outcome is unknown", async () => {
    const rows = await rowsThatAre({ status: 204, code: "" });
    await expect(rows.submit("p", [insert])).rejects.toThrow(Unavailable);
  });

  it("404 of a row means that it does not exist; for a replacement, that another writer was first", async () => {
    const rows = await rowsThatAre({ status: 404, code: "ResourceNotFound" });
    expect(await rows.get("p", "r")).toBeUndefined();
    await expect(rows.remove("p", "r", "*")).rejects.toThrow(Conflict);
  });
});
