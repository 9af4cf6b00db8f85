import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { boundedServer, endAnswer } from "../../local-azure/common/bounded-server.ts";
import { loopbackOnly, type Opening } from "../../local-azure/common/loopback-only.ts";
import { listenOnLoopback, type LoopbackServer } from "../../local-azure/common/loopback-server.ts";
import { pageFiles } from "./page-files.ts";
import { isForeign, jsonOf, pageSafety } from "./page-requests.ts";
import { readRunbook } from "./runbook.ts";
import {
  closingInput,
  faultInput,
  receiver,
  requestBody,
  resolution,
  resolveInput,
  terminalDeed,
} from "./request-bodies.ts";
import { Refusal, type LiveSource } from "./source.ts";

/** Another handler of the same server, for the webhook receiver or for spans. Returns false if the path is not its own. */
export type Beside = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The HTML of a mail must not run scripts or load anything. */
const mailSafety = {
  ...pageSafety,
  "content-security-policy":
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'",
};

/**
 * Serves the live page on loopback. It rejects requests under a foreign name and requests from foreign pages, because the page can move the
 * demo's money. Requests wait until the source is ready, but `beside` handles its requests at once. If the port is in use, rejects with the
 * error of `listen`.
 */
export async function serveLive(options: {
  readonly port: number;
  /** The address and name at which the page is reached, in addition to loopback. */
  readonly open?: Opening | undefined;
  readonly source: LiveSource | Promise<LiveSource>;
  readonly beside?: Beside;
}): Promise<LoopbackServer> {
  const { beside = () => false } = options;
  const files = await pageFiles(new URL("page/", import.meta.url));
  const server = boundedServer(
    loopbackOnly((request, response) => {
      if (isForeign(request))
        return refuse(request, response, 403, "This server accepts requests only from its own page.");
      if (beside(request, response)) return;
      answer(request, response).catch((error: unknown) => {
        if (error instanceof Refusal) return refuse(request, response, error.status, error.message);
        if (error instanceof z.ZodError) return refuse(request, response, 422, z.prettifyError(error));
        console.error(error);
        response.destroy();
      });
    }, options.open),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/"] = (request.url ?? "/").split("?");
    const source = await options.source;
    if (request.method !== "GET")
      return json(response, await act(source, [request.method ?? "", path], await jsonOf(request)));
    const file = files.get(path);
    if (file) return send(response, 200, ...file);
    if (path === "/stream") return stream(response, source);
    const mail = mailHtml(source, path);
    if (mail !== undefined) return void response.writeHead(200, { ...mailSafety, "content-type": HTML }).end(mail);
    return json(response, await read(source, path));
  }

  function mailHtml(source: LiveSource, path: string): string | undefined {
    const [, id] = /^\/mails\/([^/]+)\/html$/.exec(path) ?? [];
    return id === undefined ? undefined : source.mailHtml(decoded(id) ?? "");
  }

  /** The JSON of a path. Undefined if the path does not exist. */
  async function read(source: LiveSource, path: string): Promise<unknown> {
    const [, what, ...rest] = path.split("/");
    const id = decoded(rest.join("/"));
    if (id === undefined) return undefined;
    switch (what) {
      case "payments":
        return source.payment(id);
      case "mails":
        return source.mail(id);
      case "calls":
        return source.call(id);
      case "runbook":
        return readRunbook();
      default:
        return undefined;
    }
  }

  async function act(source: LiveSource, [method, path]: readonly [string, string], body: unknown): Promise<unknown> {
    if (decoded(path) === undefined) throw new Refusal(`The page's server cannot read ${path}.`);
    const [, what, ...rest] = path.split("/").map(decodeURIComponent);
    const route = `${method} ${what}${rest.length > 1 ? `/${rest.at(-1)}` : ""}`;
    const found = actions[route];
    if (!found) throw new Refusal(`The page's server does not know ${method} ${path}.`);
    return (await found(source, rest, body)) ?? {};
  }

  return listenOnLoopback(server, options.port, options.open?.host);
}

const subjectIn = (rest: readonly string[]): string => rest.slice(0, -1).join("/");

/** The page's actions, by method and path. A path segment between the two words is the subject. */
const actions: Readonly<Record<string, (source: LiveSource, rest: readonly string[], body: unknown) => unknown>> = {
  "POST terminals": (source, [id = ""], body) => source.atTerminal(id, terminalDeed.parse(body)),
  "POST till": (source, [operation = ""], body) => source.request(operation, requestBody.parse(body)),
  "POST payments/preview": (source, rest, body) => source.preview(subjectIn(rest), resolution.parse(body)),
  "POST payments/resolve": (source, rest, body) => source.resolve(subjectIn(rest), resolveInput.parse(body)),
  "POST alerts/close": (source, [id = ""], body) => source.closeAlert(id, closingInput.parse(body)),
  "POST queues/replay": (source, [name = ""]) => source.replayDeadLetters(name),
  "POST receiver": (source, _, body) => source.setReceiver(receiver.parse(body)),
  "POST webhooks/resend": (source, [id = ""]) => source.resend(id),
  "POST faults": (source, _, body) => source.setFault(faultInput.parse(body)),
  "DELETE faults": (source, [id]) => source.clearFaults(id),
};

const HTML = "text/html; charset=utf-8";

/** A page that reads changes too slowly is disconnected. The browser reconnects, and gets a new snapshot. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
const BEAT_MS = 15_000;

function stream(response: ServerResponse, source: LiveSource): void {
  response.writeHead(200, { ...pageSafety, "content-type": "text/event-stream" });
  const write = (event: string, data: unknown) => {
    if (response.writableLength > MAX_UNREAD_BYTES) return response.destroy(); // a single event may be longer, and is still sent
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  write("snapshot", source.snapshot());
  const end = source.subscribe((change) => write("change", change));
  const beat = setInterval(() => response.write(": beat\n\n"), BEAT_MS);
  response.once("close", () => {
    clearInterval(beat);
    end();
  });
}

function json(response: ServerResponse, result: unknown): void {
  if (result === undefined) return send(response, 404, "text/plain", "This is no longer here.");
  send(response, 200, "application/json", JSON.stringify(result));
}

function withHead(response: ServerResponse, status: number, type: string): ServerResponse {
  return response.writeHead(status, {
    ...pageSafety,
    "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
  });
}

/** Responds with a sentence. The request's body may not have been read. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, sentence: string): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries({ ...pageSafety, "content-type": "text/plain; charset=utf-8" })));
  endAnswer(request, response, sentence);
}

/** Decodes a part of a path. Undefined if its escapes are invalid. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  withHead(response, status, type).end(body);
}
