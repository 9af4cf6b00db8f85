import { randomUUID } from "node:crypto";
import { IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Faults } from "../faults/faults.ts";
import type { Fault } from "../faults/rule.ts";
import { loopbackOnly } from "../common/loopback-only.ts";
import { callTarget } from "./call-target.ts";

/** The error responses, with the texts of Microsoft's list of error codes. */
const refusals = {
  busy: { status: 503, code: "ServerBusy", message: "The server is busy." },
  forbidden: {
    status: 403,
    code: "AuthorizationFailure",
    message: "This request is not authorized to perform this operation.",
  },
} as const;

/**
 * Checks each request before a Table Storage server gets it. Rejects foreign host names (421) and every browser page (403): the account's
 * key is well known, so a page could write rows by a form. Then applies faults. A request with a fault is not carried out, except with the
 * fault "slow". Without faults, a request costs one check. Returns a function to call after every change of the faults.
 */
export function standBefore(server: Server, faults: Faults): () => void {
  const answer = server.listeners("request")[0] as RequestListener;
  const sockets = new Set<Socket>();
  const allAway = () => faults.of({ tables: "all" })?.kind === "away";
  server.removeAllListeners("request");
  const own = (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.origin !== undefined) return show("forbidden", request.socket, response);
    if (faults.list().length === 0) answer(request, response);
    else meet(request, response).catch(() => request.socket.destroy()); // the caller disconnected
  };
  server.on("request", loopbackOnly(own));
  server.on("connection", (socket: Socket) => {
    if (allAway()) return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  async function meet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "GET", url: path = "/" } = request;
    const fault = faults.of(callTarget({ method, path, body: body.toString() }));
    if (fault?.kind === "slow") await sleep(fault.milliseconds);
    else if (fault) return show(fault.kind, request.socket, response);
    keepRequest(response, request);
    answer(replay(request, body), response);
  }

  return () => {
    if (allAway()) for (const socket of sockets) socket.resetAndDestroy();
  };
}

function show(kind: Fault["kind"], socket: Socket, response: ServerResponse): void {
  if (kind === "away") return void socket.resetAndDestroy();
  if (kind !== "busy" && kind !== "forbidden") return; // silent: the caller waits for its own time-out
  const { status, code, message } = refusals[kind];
  const [requestId, time] = [randomUUID(), new Date().toISOString()];
  const value = `${message}\nRequestId:${requestId}\nTime:${time}`;
  response.writeHead(status, { "content-type": "application/json", "x-ms-request-id": requestId });
  response.end(JSON.stringify({ "odata.error": { code, message: { lang: "en-US", value } } }));
}

/**
 * Express sets `response.req` to the request that it was given. Node 26 uses `req` to find the request that it received, and ends the
 * process if it is a different one.
 */
const keepRequest = (response: ServerResponse, request: IncomingMessage): void =>
  void Object.defineProperty(response, "req", { get: () => request, set: () => {} });

/** A copy of the request with an unread body. */
function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const again = new IncomingMessage(request.socket);
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}
