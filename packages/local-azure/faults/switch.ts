import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as z from "zod";
import { loopbackOnly } from "../common/loopback-only.ts";
import { listenOnLoopback } from "../common/loopback-server.ts";
import { unknownFault, type FaultBoard } from "./board.ts";
import { faultInput, type Fault, type FaultTarget, type FaultInput } from "./rule.ts";

/** The names that a fault's target may have. */
export interface FaultyNames {
  readonly tables: readonly string[];
  readonly queues: readonly string[];
}

export interface FaultSwitch {
  /** The address where faults are listed, set and removed. */
  readonly url: string;
  stop(): Promise<void>;
}

const MAX_BYTES = 1_024;

/** Says in a sentence what is wrong with a request. `status` is 4xx. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Serves the faults of a stack on loopback. `GET /faults` lists them and `DELETE /faults` removes all. `PUT` and `DELETE` work on
 * `/faults/tables`, `/faults/tables/<table>`, `/faults/tables/<table>/<partition>`, `/faults/queues` and `/faults/queues/<queue>`. It
 * responds when every affected part has accepted the change. It has no CORS, so that no page can set faults. Rejects with the error of
 * `listen`.
 */
export async function startFaultSwitch(options: {
  readonly port: number;
  readonly board: FaultBoard;
  readonly names: FaultyNames;
}): Promise<FaultSwitch> {
  const { board, names } = options;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      const done = await carryOut(request, board, names);
      if (done === undefined) return void response.writeHead(204).end();
      send(response, 200, done);
    } catch (error) {
      if (response.destroyed) return; // the caller disconnected
      const message = error instanceof Error ? error.message : String(error);
      send(response, error instanceof Refusal ? error.status : 500, { error: message });
    }
  };
  const server = createServer(loopbackOnly((request, response) => void answer(request, response)));
  const { url, stop } = await listenOnLoopback(server, options.port);
  return { url: `${url}faults`, stop };
}

/** Carries out the request. Resolves with the content of the response, if any. */
async function carryOut(request: IncomingMessage, board: FaultBoard, names: FaultyNames): Promise<object | undefined> {
  const { method = "", url = "" } = request;
  const target = targetIn(url, names);
  if (method === "GET" && target === "all") return board.list().map(shown);
  if (method === "PUT" && target !== "all") return shown(await board.set(target, await wishIn(request, target)));
  if (method === "DELETE") return board.clear(target === "all" ? undefined : target).then(() => undefined);
  throw new Refusal(405, target === "all" ? "GET or DELETE /faults." : `PUT or DELETE ${url}.`);
}

/** Throws `Refusal` for an address that names no fault. */
function targetIn(url: string, names: FaultyNames): FaultTarget | "all" {
  const [, root, service, ...rest] = url.split("/").map(decoded);
  const [name, partition, ...more] = rest;
  if (root !== "faults" || more.length > 0) throw nowhere(url);
  if (service === undefined) return "all";
  if (service === "tables") {
    if (name === undefined) return { tables: "all" };
    const table = known("table", name, names.tables);
    return partition === undefined ? { table } : { table, partition };
  }
  if (service !== "queues" || partition !== undefined) throw nowhere(url);
  return name === undefined ? { queues: "all" } : { queue: known("queue", name, names.queues) };
}

const nowhere = (url: string) =>
  new Refusal(404, `There is no ${url}: /faults, /faults/tables[/<table>[/<partition>]] or /faults/queues[/<queue>].`);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, `"${part}" is not encoded as a part of a URL.`);
  }
}

function known(what: string, name: string, names: readonly string[]): string {
  const found = names.find((other) => other.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Refusal(404, `There is no ${what} "${name}": ${names.join(", ")}.`);
  return found;
}

/** The body, read as JSON with any content type, so that curl needs no header. */
async function wishIn(request: IncomingMessage, target: FaultTarget): Promise<FaultInput> {
  const read = faultInput.safeParse(jsonIn(await textOf(request)));
  if (!read.success) throw new Refusal(400, z.prettifyError(read.error));
  const reason = unknownFault(target, read.data);
  if (reason !== undefined) throw new Refusal(400, reason);
  return read.data;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > MAX_BYTES) throw new Refusal(413, `A fault takes ${MAX_BYTES} bytes at most.`);
  }
  return text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is no JSON such as {"kind":"busy","seconds":30}.');
  }
}

const shown = ({ target, until, ...what }: Fault) => ({
  path: pathOf(target),
  ...what,
  until: new Date(until).toISOString(),
});

function pathOf(target: FaultTarget): string {
  const parts = ["faults", "table" in target || "tables" in target ? "tables" : "queues"];
  if ("table" in target) parts.push(target.table, ...(target.partition === undefined ? [] : [target.partition]));
  if ("queue" in target) parts.push(target.queue);
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
}
