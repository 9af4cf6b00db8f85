import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { tablesConnection } from "../../../packages/workbench/stack/azurite.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { azureTables } from "../../../shared/adapters/tables/azure-tables.ts";
import type { Operation, Rows } from "../../../shared/ports/rows.ts";

/** Rows on a service that responds like this, and the number of requests that it got. */
async function rowsOn(answer: (response: ServerResponse, request: number) => void, maxRetries = 0) {
  const seen = { requests: 0 };
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(response, ++seen.requests));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const connection = tablesConnection((server.address() as AddressInfo).port);
  const retryOptions = { maxRetries, retryDelayInMs: 1, maxRetryDelayInMs: 2 };
  return { rows: azureTables(connection, { retryOptions }).terminals, seen };
}

const ETAG = 'W/"1"';
const insert = (rowKey: string): Operation => ({ kind: "insert", rowKey, columns: {} });
const group = [insert("r"), insert("s")];
const calls: Readonly<Record<string, (rows: Rows) => Promise<unknown>>> = {
  "a read": (rows) => rows.get("p", "r"),
  "a query": (rows) => rows.withPrefix("p", "r"),
  "a query of later rows": (rows) => rows.after("p", { prefix: "r", rowKey: "r1" }, 1),
  "an insert": (rows) => rows.submit("p", [insert("r")]),
  "a replacement": (rows) => rows.submit("p", [{ kind: "replace", rowKey: "r", columns: {}, etag: ETAG }]),
  "a group": (rows) => rows.submit("p", group),
  "a removal": (rows) => rows.remove("p", "r", ETAG),
};
const everyCall = Object.entries(calls);

const HTML = "<html><body>409 Conflict: EntityAlreadyExists</body></html>";
const STEP = `--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\nETag: ${ETAG}\r\n\r\n\r\n`;
const WHOLE = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${STEP}${STEP}--c--\r\n--b--\r\n`;
const multipart = { "content-type": "multipart/mixed; boundary=b" };
const answerGroup = (body: string) => (response: ServerResponse) => void response.writeHead(202, multipart).end(body);

describe.each(everyCall)("%s", (_, call) => {
  it.each([200, 202, 301, 302, 307, 400, 404, 409, 412, 413, 500])(
    "is Unavailable for HTML with %i",
    async (status) => {
      const headers = { "content-type": "text/html", location: "/elsewhere" };
      const { rows, seen } = await rowsOn((response) => response.writeHead(status, headers).end(HTML));
      await expect(call(rows)).rejects.toThrow(Unavailable);
      expect(seen.requests).toBe(1); // a redirect is not followed
    },
  );

  it("is Unavailable for a response that breaks off, and is not retried", async () => {
    const { rows, seen } = await rowsOn((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 100, etag: ETAG });
      response.write("{", () => response.destroy());
    }, 2);
    await expect(call(rows)).rejects.toThrow(Unavailable);
    expect(seen.requests).toBe(1);
  });

  it("is Unavailable for a response that is not HTTP", async () => {
    const { rows } = await rowsOn((response) => void response.socket?.end("SSH-2.0-OpenSSH_9.2\r\n"));
    await expect(call(rows)).rejects.toThrow(Unavailable);
  });

  it("is Unavailable for a response that never ends, or is too long", async () => {
    const { rows } = await rowsOn((response) => {
      const chunk = Buffer.alloc(1024 * 1024, " ");
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => void (response.destroyed || response.write(chunk, () => setImmediate(more)));
      more();
    });
    await expect(call(rows)).rejects.toThrow(Unavailable);
  });

  it("is retried when the connection breaks, or the service is busy", async () => {
    const { rows, seen } = await rowsOn((response, request) => {
      if (request === 1) response.destroy();
      else response.writeHead(503, { "retry-after": "0" }).end();
    }, 3);
    await expect(call(rows)).rejects.toThrow(Unavailable);
    expect(seen.requests).toBe(4);
  });
});

it("every call is Unavailable when there is no response", async () => {
  const { rows, seen } = await rowsOn(() => {}, 2);
  const thrown = await Promise.all(everyCall.map(([, call]) => call(rows).catch((error: unknown) => error)));
  for (const error of thrown) expect(error).toBeInstanceOf(Unavailable);
  expect(seen.requests).toBe(everyCall.length); // there was no time left for a retry
});

describe("a group", () => {
  it("succeeds with the responses of all its operations", async () => {
    const { rows } = await rowsOn(answerGroup(WHOLE));
    expect(await rows.submit("p", group)).toEqual([ETAG, ETAG]);
  });

  it.each([
    ["is cut", WHOLE.slice(0, -12)],
    ["lacks one of its answers", WHOLE.replace(STEP, "")],
    ["is HTML", HTML],
    ["is empty", ""],
  ])("is Unavailable when its response %s", async (_, body) => {
    const { rows } = await rowsOn(answerGroup(body));
    await expect(rows.submit("p", group)).rejects.toThrow(Unavailable);
  });

  it("is refused before it is sent when it has no operation, or too many", async () => {
    const { rows, seen } = await rowsOn(answerGroup(WHOLE));
    const many = Array.from({ length: 101 }, (_, i) => insert(String(i)));
    for (const operations of [[], many]) await expect(rows.submit("p", operations)).rejects.toThrow(RangeError);
    expect(seen.requests).toBe(0);
  });
});

describe("a query", () => {
  const page = (response: ServerResponse, rowKeys: readonly string[], next?: string) =>
    void response
      .writeHead(200, {
        "content-type": "application/json",
        ...(next && { "x-ms-continuation-nextpartitionkey": "p", "x-ms-continuation-nextrowkey": next }),
      })
      .end(JSON.stringify({ value: rowKeys.map((RowKey) => ({ "odata.etag": ETAG, PartitionKey: "p", RowKey })) }));

  it("reads page after page, past empty ones, until the last page or enough rows", async () => {
    const pages = (response: ServerResponse, request: number) => {
      if (request % 3 === 1) page(response, ["r1", "r2"], "a");
      else if (request % 3 === 2) page(response, [], "b");
      else page(response, ["r3"]);
    };
    const { rows, seen } = await rowsOn(pages);
    expect((await rows.withPrefix("p", "r")).map(({ rowKey }) => rowKey)).toEqual(["r1", "r2", "r3"]);
    expect((await rows.withPrefix("p", "r", 2)).map(({ rowKey }) => rowKey)).toEqual(["r1", "r2"]);
    expect(seen.requests).toBe(4);
  });

  it("is Unavailable when a page names itself as the next page", async () => {
    const { rows } = await rowsOn((response) => page(response, ["r1"], "r1"));
    await expect(rows.withPrefix("p", "r")).rejects.toThrow(Unavailable);
  });
});
