import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { headersOf, tableHttp } from "../../../shared/adapters/tables/table-http.ts";
import { aTableRequest } from "../../support/a-table-request.ts";
import { losableServer } from "../../support/losable-server.ts";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";
import { freePort } from "../../../packages/local-azure/common/free-ports.ts";

async function serverThat(answers: (...asked: Parameters<RequestListener>) => unknown) {
  const server = createServer((request, response) => void answers(request, response));
  return { server, url: `http://127.0.0.1:${await listening(server)}` };
}

describe("connections to the tables", () => {
  it("carry one request after another, with path, headers and body unchanged", async () => {
    const seen: unknown[] = [];
    const { server, url } = await serverThat(async (request, response) => {
      const body = (await request.toArray()).join("");
      seen.push([request.method, request.url, request.headers["x-one"], body]);
      response.writeHead(200, { "x-two": "2", "set-cookie": ["a", "b"] }).write("å");
      response.end("ä");
    });
    let connections = 0;
    server.on("connection", () => connections++);
    const http = tableHttp();
    const path = "/T(PartitionKey='a''b',RowKey='%C3%A5%20%25')?$filter=x";
    const answer = await http.sendRequest(aTableRequest(url + path, { headers: headersOf({ "x-one": "1" }) }));
    expect([answer.status, answer.headers.get("X-Two"), answer.headers.get("set-cookie"), answer.bodyAsText]).toEqual([
      200,
      "2",
      "a",
      "åä",
    ]);
    await http.sendRequest(aTableRequest(`${url}/$batch`, { method: "POST", body: "é" }));
    expect(seen).toEqual([
      ["GET", path, "1", ""],
      ["POST", "/$batch", undefined, "é"],
    ]);
    for (let more = 0; more < 8; more++) await http.sendRequest(aTableRequest(`${url}/`));
    expect(connections).toBeLessThanOrEqual(2); // the connection that was used last rests for a moment
  });

  it("end with the signal, at once, and the service notices", async () => {
    const closed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { url } = await serverThat((request) => {
      request.socket.on("close", () => closed.resolve());
      asked.resolve();
    });
    const deadline = new AbortController();
    const answer = tableHttp().sendRequest(aTableRequest(`${url}/`, { abortSignal: deadline.signal }));
    await asked.promise;
    const reason = new Error("over");
    deadline.abort(reason);
    await expect(answer).rejects.toBe(reason);
    await closed.promise;
  });

  it("end with the signal in the middle of a response", async () => {
    const { url } = await serverThat((_, response) => void response.writeHead(200).write("{"));
    const deadline = new AbortController();
    const http = tableHttp();
    const answer = http.sendRequest(aTableRequest(`${url}/`, { abortSignal: deadline.signal }));
    const reason = new Error("over");
    deadline.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  it("are not used after the signal", async () => {
    let requests = 0;
    const { url } = await serverThat((_, response) => void response.end(String(++requests)));
    const http = tableHttp();
    const reason = new Error("over");
    await expect(http.sendRequest(aTableRequest(`${url}/`, { abortSignal: AbortSignal.abort(reason) }))).rejects.toBe(
      reason,
    );
    const deadline = new AbortController();
    const waiting = http.sendRequest(aTableRequest(`${url}/`, { abortSignal: deadline.signal })); // waits for its connection
    deadline.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect((await http.sendRequest(aTableRequest(`${url}/`))).bodyAsText).toBe("1");
  });

  it("are all new after one was lost without an end and its request is given up", async () => {
    const { server, lose } = losableServer((_, response) => void response.end("answer"));
    const url = `http://127.0.0.1:${await listening(server)}/`;
    const http = tableHttp();
    const answer = (abortSignal?: AbortSignal) =>
      http.sendRequest(aTableRequest(url, { ...(abortSignal && { abortSignal }) }));
    await Promise.all([answer(), answer(), answer()]);
    lose();
    const deadline = new AbortController();
    const unanswered = answer(deadline.signal);
    await once(server, "request");
    deadline.abort(new Error("over"));
    await expect(unanswered).rejects.toThrow("over");
    expect((await answer(AbortSignal.timeout(2_000))).bodyAsText).toBe("answer");
  });

  it("stay for the requests that are under way when another one is given up", async () => {
    const held = Promise.withResolvers<void>();
    const { server, url } = await serverThat(async (request, response) => {
      if (request.url === "/slow") await held.promise;
      if (request.url !== "/never") response.end("answer");
    });
    const http = tableHttp();
    const slow = http.sendRequest(aTableRequest(`${url}/slow`));
    await once(server, "request");
    const deadline = new AbortController();
    const unanswered = http.sendRequest(aTableRequest(`${url}/never`, { abortSignal: deadline.signal }));
    await once(server, "request");
    deadline.abort(new Error("over"));
    await expect(unanswered).rejects.toThrow("over");
    await http.sendRequest(aTableRequest(`${url}/`));
    held.resolve();
    expect((await slow).bodyAsText).toBe("answer");
  });

  it("report a refusal, a broken connection and a response that is too long under the names that retries know", async () => {
    const http = tableHttp({ maxResponseBytes: 1_000 });
    const port = await freePort();
    await expect(http.sendRequest(aTableRequest(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
    const { url } = await serverThat((request, response) => {
      if (request.url === "/long") response.end("x".repeat(1_001));
      else request.socket.destroy();
    });
    await expect(http.sendRequest(aTableRequest(`${url}/`))).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(http.sendRequest(aTableRequest(`${url}/long`))).rejects.toMatchObject({ code: "PARSE_ERROR" });
  });

  it("are encrypted unless the request allows otherwise", async () => {
    const { url } = await serverThat((_, response) => void response.end());
    await expect(
      (async () => tableHttp().sendRequest(aTableRequest(`${url}/`, { allowInsecureConnection: false })))(),
    ).rejects.toThrow("not encrypted");
  });
});
