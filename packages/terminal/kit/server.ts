import type { IncomingMessage, ServerResponse } from "node:http";
import { boundedServer, endAnswer, readWithin } from "../../local-azure/common/bounded-server.ts";
import { loopbackOnly } from "../../local-azure/common/loopback-only.ts";
import { listenOnLoopback, type LoopbackServer } from "../../local-azure/common/loopback-server.ts";
import type { Operation } from "./exchange.ts";
import type { Platform } from "./platform.ts";

/** More than the platform accepts, so that the platform itself rejects a body that is too long. */
const MOST_BYTES = 128 * 1024;

const operations: Readonly<Record<string, Operation>> = {
  "GET /terminals/next-message": "next-message",
  "POST /terminals/report": "report",
  "POST /terminals/raise-action-request": "raise-action-request",
  "POST /terminals/day-totals": "day-totals",
};

/** Serves the terminals' API on loopback. Port 0 selects a free port. */
export const servePlatform = (platform: Platform, port: number): Promise<LoopbackServer> =>
  listenOnLoopback(boundedServer(loopbackOnly((request, response) => void answer(platform, request, response))), port);

async function answer(platform: Platform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", url: target = "" } = request;
  const operation = operations[`${method} ${target.split("?")[0]}`];
  if (operation === undefined) return refuse(request, response);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const body = await readWithin(request, MOST_BYTES).catch(() => undefined);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const call = { method, target, headers, body: body ?? new Uint8Array(), gone: gone.signal };
  const reply = await platform.respond(operation, call);
  if (!reply) return void request.socket.destroy();
  response.writeHead(reply.status, reply.headers);
  endAnswer(request, response, reply.body);
}

/** Responds that there is no such operation, in the gateway's own words. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const problem = {
    type: "about:blank",
    title: "There is no such operation",
    status: 404,
    code: "not_found",
  };
  response.writeHead(404, { "content-type": "application/json" });
  endAnswer(request, response, JSON.stringify({ ...problem, retryable: false }));
}
