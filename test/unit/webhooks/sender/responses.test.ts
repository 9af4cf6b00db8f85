import { once } from "node:events";
import { setInterval as every } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { aSender, aWebhook } from "../a-sender.ts";
import { aRawServer, aServerThatSends } from "../partner-server.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const informational = (status: number, header = "") => `HTTP/1.1 ${status} Wait\r\n${header}\r\n`;
const hint = informational(103, "link: </hook.css>; rel=preload\r\n");

/** A response whose headers have this many KiB. */
const withHeaders = (kib: number) => {
  const header = (_: unknown, i: number) => `x-header-${i}: `.padEnd(1_022, "a");
  return ["HTTP/1.1 200 OK", ...Array.from({ length: kib }, header), "content-length: 0\r\n\r\n"].join("\r\n");
};

/** The outcomes of two webhooks to a server that always sends these bytes. */
async function outcomesOf(response: string) {
  const url = await aServerThatSends(response);
  const sender = aSender();
  return [await sender.send(aWebhook(url)), await sender.send(aWebhook(url))];
}

const twice = (outcome: object) => [expect.objectContaining(outcome), expect.objectContaining(outcome)];
const delivered = { kind: "delivered", status: 200 };

describe("informational responses are ignored", () => {
  it.each([
    ["100", informational(100)],
    ["100 with a header", informational(100, "content-length: 0\r\n")],
    ["102", informational(102)],
    ["103", hint],
    ["a status that is not assigned", informational(199)],
    ["several", informational(100) + informational(102) + hint + hint],
    ["500 of them", hint.repeat(500)],
  ])("%s", async (_, before) => {
    expect(await outcomesOf(before + OK)).toEqual(twice(delivered));
  });

  it("each in a packet of its own, and the final response decides", async () => {
    const url = await aRawServer(async (socket) => {
      await once(socket, "data");
      for (const part of [informational(100), informational(102), hint]) {
        socket.write(part);
        await new Promise(setImmediate);
      }
      socket.write("HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n");
    });
    expect(await aSender().send(aWebhook(url))).toMatchObject({ status: 503, retryAfterSeconds: 120 });
  });

  it("without extending the deadline", async () => {
    const cut = Promise.withResolvers<void>();
    const url = await aRawServer(async (socket) => {
      socket.on("close", () => cut.resolve()).resume();
      for await (const _ of every(10)) {
        if (socket.destroyed) return;
        socket.write(informational(102));
      }
    });
    expect(await aSender({ timeoutMs: 300 }).send(aWebhook(url))).toMatchObject({ kind: "failed", reason: "time-out" });
    await cut.promise;
  });

  it("up to 1 MiB: more would occupy the platform until the deadline", async () => {
    const cut = Promise.withResolvers<void>();
    const url = await aRawServer((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(hint.repeat(500)));
      };
      socket.on("close", () => cut.resolve()).on("drain", more);
      socket.once("data", more);
    });
    expect(await aSender().send(aWebhook(url))).toMatchObject({
      kind: "failed",
      reason: "malformed",
      code: "HPE_HEADER_OVERFLOW",
    });
    await cut.promise;
  });
});

describe("a final response", () => {
  it("of 101 is a failure: no webhook asks for another protocol", async () => {
    const upgrade = { kind: "failed", reason: "status", status: 101 };
    expect(await outcomesOf(informational(101, "upgrade: h2c\r\nconnection: upgrade\r\n"))).toEqual(twice(upgrade));
  });

  it("may offer another protocol", async () => {
    const offer = "HTTP/1.1 200 OK\r\nupgrade: h2c\r\nconnection: Upgrade\r\ncontent-length: 0\r\n\r\n";
    expect(await outcomesOf(offer)).toEqual(twice(delivered));
  });

  it("may have 40 KiB of headers", async () => {
    expect(await outcomesOf(withHeaders(40))).toEqual(twice(delivered));
  });

  it.each([
    ["with 80 KiB of headers", "HPE_HEADER_OVERFLOW", withHeaders(80)],
    // RFC 9112 2.2 lets a reader take a bare LF for a line's end. Node's strict parser rejects it, because two readers could differ.
    ["with a bare LF after a header", "HPE_CR_EXPECTED", "HTTP/1.1 200 OK\r\nx: y\ncontent-length: 0\r\n\r\n"],
    ["with bare LF alone", "HPE_CR_EXPECTED", OK.replaceAll("\r\n", "\n")],
    [
      "with two lengths",
      "HPE_UNEXPECTED_CONTENT_LENGTH",
      "HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-length: 2\r\n\r\nok",
    ],
    [
      "with a length and chunks",
      "HPE_INVALID_TRANSFER_ENCODING",
      "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["with a folded header", "HPE_INVALID_HEADER_TOKEN", "HTTP/1.1 200 OK\r\nx: y\r\n z\r\ncontent-length: 0\r\n\r\n"],
    ["that is not HTTP", "HPE_INVALID_CONSTANT", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["after an informational one, that is not HTTP", "HPE_INVALID_CONSTANT", `${informational(100)}nonsense\r\n`],
  ])("%s is malformed, with the parser's code %s", async (_, code, response) => {
    expect(await outcomesOf(response)).toEqual(twice({ kind: "failed", reason: "malformed", code }));
  });

  it("counts by its status although its body breaks off or is malformed", async () => {
    const broken = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n";
    expect(await outcomesOf(broken)).toEqual(twice(delivered));
    const url = await aRawServer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 410 Gone\r\ncontent-length: 9\r\n\r\nno")),
    );
    expect(await aSender().send(aWebhook(url))).toMatchObject({ kind: "gone" });
  });
});

describe("a challenge whose response's body", () => {
  const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

  it("is malformed is not met, with the parser's code", async () => {
    const url = await aServerThatSends(`${head}nonsense\r\n`);
    expect(await aSender().challenge(aWebhook(url), "n-1")).toMatchObject({
      reason: "malformed",
      code: "HPE_INVALID_CHUNK_SIZE",
    });
  });

  it("never ends is not met: time-out", async () => {
    const url = await aServerThatSends(`${head}1\r\nn\r\n`);
    expect(await aSender({ timeoutMs: 200 }).challenge(aWebhook(url), "n-1")).toMatchObject({ reason: "time-out" });
  });
});
