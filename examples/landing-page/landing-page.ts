import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { newAnswers, type Answer, type AnswersOptions } from "./answers.ts";
import { networkOf } from "./limits.ts";
import { languageOf, type Language } from "./texts.ts";

export interface LandingPageOptions extends AnswersOptions {
  /** The addresses under which browsers see the page, such as `https://offer.example.com`. */
  readonly origins: readonly string[];
  /** The header with the customer's IP address, whose last entry a proxy adds; empty if customers connect to this server directly. */
  readonly addressHeader?: string;
}

const MAX_BODY_BYTES = 2_048;
const NO_PAGE = "There is no such page.";

/** Answers every request of the landing page's browsers. It may be the listener of any `node:http` server. */
export function landingPage(options: LandingPageOptions): RequestListener {
  const answers = newAnswers(options);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?");
    const language = languageOf(request.headers["accept-language"]);
    if (request.method === "GET" || request.method === "HEAD") return answerRead(path, language, response);
    if (path !== "/") return refuse(response, 404, NO_PAGE);
    const [status, body] = await formOf(request);
    if (body === undefined) return refuse(response, status, "The page takes its own form only.");
    sendPage(response, language, await answers.asked(language, { form: body, network: networkOf(addressOf(request)) }));
  }

  async function answerRead(path: string, language: Language, response: ServerResponse): Promise<void> {
    const file = files.get(path);
    if (file) return send(response, 200, file);
    const [, followed] = /^\/sent\/([\w-]{1,64})$/.exec(path) ?? [];
    if (followed !== undefined) return sendNews(response, language, await answers.followed(language, followed));
    if (path !== "/") return refuse(response, 404, NO_PAGE);
    sendPage(response, language, await answers.shown(language));
  }

  /** The form that a browser sends from the page; otherwise the status of the refusal. */
  async function formOf(request: IncomingMessage): Promise<readonly [status: number, form?: URLSearchParams]> {
    const { method, headers } = request;
    if (method !== "POST") return [405];
    if (!headers.origin || !options.origins.includes(headers.origin)) return [403];
    if (!/^application\/x-www-form-urlencoded(;|$)/.test(headers["content-type"] ?? "")) return [415];
    const text = await textWithin(request, MAX_BODY_BYTES);
    return text === undefined ? [413] : [200, new URLSearchParams(text)];
  }

  function addressOf({ headers, socket }: IncomingMessage): string {
    const told = options.addressHeader ? headers[options.addressHeader.toLowerCase()] : undefined;
    const last = typeof told === "string" ? told.split(",").at(-1)?.trim() : undefined;
    return last ?? socket.remoteAddress ?? "";
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.report(`A request was not answered: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  };
}

/** The text of a body; undefined if it has more bytes than `most`. */
async function textWithin(request: IncomingMessage, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const read = chunk as Uint8Array;
    bytes += read.byteLength;
    if (bytes > most) return undefined;
    chunks.push(read);
  }
  return Buffer.concat(chunks).toString();
}

type Content = readonly [type: string, body: string];

const file = (name: string, type: string): readonly [string, Content] => [
  `/${name}`,
  [type, readFileSync(new URL(name, import.meta.url), "utf8")],
];
const files = new Map([
  file("page.css", "text/css"),
  file("page.js", "text/javascript"),
  file("icon.svg", "image/svg+xml"),
]);

/**
 * Allows own files only, no frame, and no other target for the form. The referrer policy keeps `Origin` in a form that is sent without a
 * script.
 */
const safety = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

function send(response: ServerResponse, status: number, [type, body]: Content): void {
  response.writeHead(status, { ...safety, "content-type": `${type}; charset=utf-8` }).end(body);
}

function sendPage(response: ServerResponse, language: Language, { status, page, retryAfter }: Answer): void {
  response.setHeader("content-language", language).setHeader("vary", "accept-language");
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  send(response, status, ["text/html", page]);
}

/** Sends the answer to a request whose mail failed. Every other request gets 204, so nobody can see whether a mail was sent. */
function sendNews(response: ServerResponse, language: Language, answer: Answer | undefined): void {
  if (answer) return sendPage(response, language, answer);
  response.writeHead(204, safety).end();
}

/** Refuses a request that no browser sends from the page. Closes the connection, because the body may not have been read. */
function refuse(response: ServerResponse, status: number, sentence: string): void {
  send(response.setHeader("connection", "close"), status, ["text/plain", sentence]);
}
