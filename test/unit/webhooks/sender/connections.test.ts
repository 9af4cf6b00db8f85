import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { aSender, aWebhook } from "../a-sender.ts";
import { aRawServer } from "../partner-server.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const delivered = { kind: "delivered", status: 200 };

/** A server that responds to the first request of each connection, and to the others as `later` says. */
async function aServer(later: (socket: Socket) => unknown) {
  const sockets: Socket[] = [];
  let requests = 0;
  const url = await aRawServer((socket) => {
    let isFirst = sockets.push(socket) > 0;
    socket.on("data", () => {
      requests += 1;
      if (isFirst) socket.write(OK);
      else later(socket);
      isFirst = false;
    });
  });
  return { url, sockets, requests: () => requests };
}

describe("a webhook on a connection that was used before", () => {
  it.each<[string, (socket: Socket) => unknown]>([
    ["closes", (socket) => socket.end()],
    ["resets", (socket) => socket.resetAndDestroy()],
  ])("is sent again on a new one if the server %s it without a response", async (_, close) => {
    const server = await aServer(close);
    const sender = aSender();
    for (let i = 0; i < 3; i++) expect(await sender.send(aWebhook(server.url))).toMatchObject(delivered);
    expect(server.sockets).toHaveLength(3);
    expect(server.requests()).toBe(5);
  });

  it("is sent on a new one at once if the server closed it while it was idle", async () => {
    const server = await aServer((socket) => socket.write(OK));
    const sender = aSender();
    for (let i = 0; i < 3; i++) {
      expect(await sender.send(aWebhook(server.url))).toMatchObject(delivered);
      const [socket] = server.sockets.slice(-1);
      socket?.end();
      if (socket) await once(socket, "close"); // the sender has closed it too
    }
    expect(server.sockets).toHaveLength(3);
    expect(server.requests()).toBe(3);
  });

  it("is sent again although several idle ones have died", async () => {
    const server = await aServer((socket) => socket.resetAndDestroy());
    const sender = aSender();
    const sendAll = () => Promise.all(Array.from({ length: 8 }, () => sender.send(aWebhook(server.url))));
    await sendAll();
    expect(await sendAll()).toEqual(Array.from({ length: 8 }, () => expect.objectContaining(delivered)));
  });

  it.each([
    ["a part of a response", "HTTP/1.1 2", "connection"],
    ["an informational response", "HTTP/1.1 102 Wait\r\n\r\n", "connection"],
    ["a malformed response", "nonsense", "malformed"],
  ])("is not sent again after %s", async (_, part, reason) => {
    const server = await aServer((socket) => socket.end(part));
    const sender = aSender();
    expect(await sender.send(aWebhook(server.url))).toMatchObject(delivered);
    expect(await sender.send(aWebhook(server.url))).toMatchObject({ kind: "failed", reason });
    expect(server.requests()).toBe(2);
  });

  it("has the deadline of the whole attempt, which also ends the second request", async () => {
    const first = aWebhook("");
    let connections = 0;
    const url = await aRawServer((socket) => {
      const isFirst = ++connections === 1;
      socket.once("data", () => {
        if (!isFirst) return; // the second connection stays silent
        socket.write(OK);
        socket.once("data", () => socket.destroy());
      });
    });
    const sender = aSender({ timeoutMs: 300 });
    expect(await sender.send({ ...first, url })).toMatchObject(delivered);
    expect(await sender.send({ ...first, url })).toMatchObject({ kind: "failed", reason: "time-out" });
    expect(connections).toBe(2);
  });

  it("does not get a response that came while the connection was idle", async () => {
    const server = await aServer((socket) => socket.write(OK));
    const sender = aSender();
    expect(await sender.send(aWebhook(server.url))).toMatchObject(delivered);
    server.sockets[0]?.write("HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n");
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate); // the sender reads it
    expect(await sender.send(aWebhook(server.url))).toMatchObject(delivered);
  });
});

it("a first connection that is closed without a response is a failure: the request is not repeated", async () => {
  let connections = 0;
  const url = await aRawServer((socket) => {
    connections += 1;
    socket.once("data", () => socket.destroy());
  });
  expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "connection" });
  expect(connections).toBe(1);
});
