import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

// Bytes that no HTTP client sends, written to the connection unchanged.

const CLOSED_WITHIN_MS = 15_000;

export interface RawResult {
  readonly name: string;
  /** The status of each response; empty if the connection was closed without a response. */
  readonly statuses: readonly number[];
  readonly isHanging: boolean;
}

const head = (...lines: readonly string[]) => `${lines.join("\r\n")}\r\n\r\n`;
const post = (path: string, ...lines: readonly string[]) => head(`POST ${path} HTTP/1.1`, "Host: localhost", ...lines);

/** By name: bytes that some parsers take as the end of a request. Each must get a response, or its connection is cut. */
const shots = (path: string): Readonly<Record<string, string>> => ({
  "no Host": head(`GET ${path} HTTP/1.1`),
  "two Hosts": head(`GET ${path} HTTP/1.1`, "Host: a", "Host: b", "Connection: close"),
  "a Host that is none": head(`GET ${path} HTTP/1.1`, "Host: a@b", "Connection: close"),
  "HTTP/0.9": `GET ${path}\r\n\r\n`,
  "HTTP/1.0": head(`GET ${path} HTTP/1.0`),
  "HTTP/9.9": head(`GET ${path} HTTP/9.9`, "Host: localhost"),
  "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a method of its own": head(`BREW ${path} HTTP/1.1`, "Host: localhost", "Connection: close"),
  TRACE: head(`TRACE ${path} HTTP/1.1`, "Host: localhost", "Connection: close"),
  CONNECT: head("CONNECT 127.0.0.1:22 HTTP/1.1", "Host: localhost"),
  "an absolute target": head(`GET http://127.0.0.1:1/x HTTP/1.1`, "Host: localhost", "Connection: close"),
  "a bare target": head("GET x HTTP/1.1", "Host: localhost", "Connection: close"),
  "two slashes": head("GET // HTTP/1.1", "Host: localhost", "Connection: close"),
  asterisk: head("OPTIONS * HTTP/1.1", "Host: localhost", "Connection: close"),
  "a fragment": head(`GET ${path}#/x HTTP/1.1`, "Host: localhost", "Connection: close"),
  backslashes: head(`GET ${path}/..\\x HTTP/1.1`, "Host: localhost", "Connection: close"),
  "bad percent": head(`GET ${path}/%zz HTTP/1.1`, "Host: localhost", "Connection: close"),
  "bytes beyond ASCII": head(`GET ${path}/\u00ff HTTP/1.1`, "Host: localhost", "Connection: close"),
  "a control in the target": head(`GET ${path}/\u0001 HTTP/1.1`, "Host: localhost", "Connection: close"),
  "length and chunks":
    post(path, "Content-Length: 4", "Transfer-Encoding: chunked") + "0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
  "two lengths": `${post(path, "Content-Length: 2", "Content-Length: 3")}{}x`,
  "a negative length": `${post(path, "Content-Length: -1")}{}`,
  "a length of words": `${post(path, "Content-Length: two")}{}`,
  "a signed length": `${post(path, "Content-Length: +2")}{}`,
  "an endless length": `${post(path, "Content-Length: 99999999999999999999")}{}`,
  "unknown coding": `${post(path, "Transfer-Encoding: xchunked")}0\r\n\r\n`,
  "coding twice": `${post(path, "Transfer-Encoding: chunked, chunked")}0\r\n\r\n`,
  "coding with a space": `${post(path, "Transfer-Encoding : chunked")}0\r\n\r\n`,
  "a bad chunk": `${post(path, "Transfer-Encoding: chunked")}zz\r\n{}\r\n0\r\n\r\n`,
  "a huge chunk": `${post(path, "Transfer-Encoding: chunked")}fffffffffffffffff\r\n{}\r\n`,
  "a folded header": head(`GET ${path} HTTP/1.1`, "Host: localhost", "A: b", " c", "Connection: close"),
  "a header without a colon": head(`GET ${path} HTTP/1.1`, "Host: localhost", "nonsense"),
  "a NUL in a header": head(`GET ${path} HTTP/1.1`, "Host: localhost", "A: \0"),
  "bare line feeds": `GET ${path} HTTP/1.1\nHost: localhost\nConnection: close\n\n`,
  "large headers": head(`GET ${path} HTTP/1.1`, "Host: localhost", `A: ${"x".repeat(100_000)}`),
  "many headers": head(
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    ...Array.from({ length: 3_000 }, (_, i) => `A${i}: x`),
    "Connection: close",
  ),
  "an upgrade": head(`GET ${path} HTTP/1.1`, "Host: localhost", "Connection: Upgrade, close", "Upgrade: h2c"),
  "no HTTP at all": "\u0016\u0003\u0001\0\u00a5\u0001\0\0\u00a1\u0003\u0003",
});

/** Writes each of them to its own connection. */
export async function shootRaw(port: number, path: string): Promise<readonly RawResult[]> {
  return Promise.all(Object.entries(shots(path)).map(([name, bytes]) => shoot(port, name, bytes)));
}

async function shoot(port: number, name: string, bytes: string): Promise<RawResult> {
  const socket = connect(port, "127.0.0.1");
  let response = "";
  const ended = new Promise<"ended">((resolve) => {
    socket.on("data", (data) => {
      response += data.toString("latin1");
    });
    socket.on("error", () => resolve("ended"));
    socket.on("close", () => resolve("ended"));
  });
  socket.write(Buffer.from(bytes, "latin1"));
  const outcome = await Promise.race([ended, sleep(CLOSED_WITHIN_MS, "waiting" as const, { ref: false })]);
  socket.destroy();
  const statuses = [...response.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  return { name, statuses, isHanging: outcome === "waiting" && statuses.length === 0 };
}

/** Starts requests that never end. The returned function ends them, and returns how many the server had cut off by then. */
export function startSlow(port: number, path: string, count: number): () => number {
  let cut = 0;
  const sockets = Array.from({ length: count }, (_, i) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.on("close", () => cut++).resume(); // the end arrives after the unread bytes
    socket.write(
      i % 2 === 0
        ? `GET ${path} HTTP/1.1\r\nHost: localhost\r\nA: `
        : post(path, "Content-Length: 100", "Content-Type: application/json"),
    );
    return socket;
  });
  return () => {
    const seen = cut;
    for (const socket of sockets) socket.destroy();
    return seen;
  };
}
