import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { boundedServer, endAnswer, readWithin, type Patience } from "../../bounded-server.ts";
import { upload } from "../endless-upload.ts";
import { listening } from "../listening.ts";

const MB = 1024 * 1024;

/** The port of a server that stops with the test. */
async function serving(
  listener: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
  patience?: Patience,
): Promise<number> {
  const server = boundedServer((request, response) => void listener(request, response), patience);
  return listening(server);
}

const urlOf = (port: number) => `http://127.0.0.1:${port}/`;

/** Responds with the number of bytes that it read, of at most ten; 413 if there were more. */
const reading = () =>
  serving(async (request, response) => {
    const body = await readWithin(request, 10);
    response.statusCode = body ? 200 : 413;
    response.setHeader("x-read", String(body?.byteLength));
    endAnswer(request, response);
  });

describe("a body", () => {
  const chunked = (text: string): RequestInit => ({ method: "POST", body: new Blob([text]).stream(), duplex: "half" });

  it("is read to its last byte, up to the limit", async () => {
    const port = await reading();
    for (const [text, read] of [
      ["", "0"],
      ["x".repeat(10), "10"],
    ] as const) {
      const announced = await fetch(urlOf(port), { method: "POST", body: text });
      expect([announced.status, announced.headers.get("x-read")]).toEqual([200, read]);
      const inChunks = await fetch(urlOf(port), chunked(text));
      expect([inChunks.status, inChunks.headers.get("x-read")]).toEqual([200, read]);
    }
  });

  it("that is one byte longer is refused", async () => {
    const port = await reading();
    expect((await fetch(urlOf(port), { method: "POST", body: "x".repeat(11) })).status).toBe(413);
    expect((await fetch(urlOf(port), chunked("x".repeat(11)))).status).toBe(413);
  });

  it.each([true, false])("without end is cut off, and its sender gets a response (chunked: %s)", async (isChunked) => {
    const port = await reading();
    const { status, taken } = await upload({ url: urlOf(port), method: "POST", bytes: 200 * MB, isChunked });
    expect(status).toBe(413);
    expect(taken).toBeLessThan(40 * MB); // the buffers of a connection's two ends differ between systems
  });

  it("that the server does not read does not prevent the response, even if the response is sent first", async () => {
    const port = await serving((request, response) => {
      response.statusCode = 401;
      endAnswer(request, response, "no");
    });
    for (const body of ["x", "x".repeat(100_000)]) {
      const answer = await fetch(urlOf(port), { method: "POST", body });
      expect([answer.status, await answer.text()]).toEqual([401, "no"]);
    }
  });
});

/** The response of the server to a caller, until it cut the connection. */
async function toldUntilCut(socket: Socket): Promise<string> {
  let told = "";
  socket.on("data", (data) => (told += data.toString("latin1"))).on("error", () => {});
  await new Promise((resolve) => socket.once("close", resolve));
  return told;
}

describe("a slow caller", () => {
  const patience = { headMs: 200, requestMs: 400 };

  it.each([
    ["with its head", "GET / HTTP/1.1\r\nHost: x\r\nA: "],
    ["with its body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"],
    ["with the chunks of its body", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"],
  ])("%s is cut off, even while it continues", async (_, begun) => {
    let isHeard = false;
    const port = await serving(async (request) => {
      isHeard = await readWithin(request, 1_000).then(Boolean, () => false);
    }, patience);
    const socket = connect(port, "127.0.0.1");
    const cut = toldUntilCut(socket);
    socket.write(begun);
    const dripping = (async () => {
      while (!socket.destroyed) {
        await sleep(20);
        socket.write(begun.includes("chunked") ? "1\r\nx\r\n" : "x");
      }
    })();
    expect(await cut).toMatch(/^(HTTP\/1\.1 408 |$)/);
    await dripping;
    expect(isHeard).toBe(false);
  });

  it("may wait for its response as long as necessary, as a poll does", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const port = await serving((_, response) => asked.resolve(response), patience);
    const answered = fetch(urlOf(port));
    const response = await asked.promise;
    await sleep(3 * patience.requestMs); // longer than any bound of the server, which looks at its connections meanwhile
    response.end("late");
    expect(await (await answered).text()).toBe("late");
  });
});
