import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pipeline } from "node:stream/promises";
import { sampleIds } from "../../../shared/contracts/examples/sample-ids.ts";
import { loopbackOnly } from "../common/loopback-only.ts";
import type { StackFile } from "../stack-file.ts";
import { page, pageScript } from "./page.ts";

export interface Reference {
  readonly url: string;
  stop(): Promise<void>;
}

const documents = fileURLToPath(new URL("../../../docs/openapi/", import.meta.url));
const swaggerUi = fileURLToPath(new URL(".", import.meta.resolve("swagger-ui-dist/package.json")));
const swaggerFiles: ReadonlyMap<string, string> = new Map([
  ["swagger-ui.css", "text/css"],
  ["swagger-ui-bundle.js", "text/javascript"],
  ["swagger-ui-standalone-preset.js", "text/javascript"],
  ["favicon-32x32.png", "image/png"],
]);
const safety = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin", // the page's script holds the demo's keys
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/**
 * Serves the reference of the three APIs on loopback, with a way to try them on the running stack. Rejects with the error of `listen` for a
 * port that is taken.
 */
export async function startReference(options: {
  readonly port: number;
  readonly stack: StackFile;
}): Promise<Reference> {
  const { stack } = options;
  const gateway = new URL(stack.partnersUrl).origin;
  const server = createServer(
    // A foreign name that resolves to this machine would let its page read this one's keys.
    loopbackOnly((request, response) => {
      answer(request, response).catch((error: unknown) => {
        console.error(error);
        response.destroy();
      });
    }),
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "/", method } = request;
    if (/^\/(?:partners|consumer|terminals)\//.test(url)) return passOn(request, response, gateway);
    const content = method === "GET" ? await contentOf(url.slice(1).split("?")[0] ?? "", stack) : undefined;
    return content ? send(response, 200, ...content) : send(response, 404, "text/plain", "There is no such page.");
  }

  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Content = readonly [type: string, body: string | Buffer];

async function contentOf(name: string, stack: StackFile): Promise<Content | undefined> {
  if (name === "") return ["text/html", page];
  if (name === "page.js") return ["text/javascript", pageScript(stack)];
  const api = /^openapi\/(partners|consumer|terminals)\.json$/.exec(name)?.[1];
  if (api !== undefined) return ["application/json", await documentFor(api, stack)];
  const type = swaggerFiles.get(name);
  return type === undefined ? undefined : [type, await readFile(join(swaggerUi, name))];
}

/** The published document with the running demo's identifiers, and new payments, in its examples. */
async function documentFor(api: string, { demo }: StackFile): Promise<string> {
  const there: Partial<Record<keyof typeof sampleIds, string>> = {
    merchantID: demo.merchantID,
    pointOfServiceID:
      api === "terminals" ? demo.terminals.silent.pointOfServiceID : demo.terminals.autopilot.pointOfServiceID,
    productID: demo.consumer.productID,
    templateAccessTokenID: demo.consumer.templateAccessTokenID,
  };
  const published = await readFile(join(documents, `${api}.json`), "utf8");
  return Object.entries(sampleIds).reduce(
    (text, [name, sample]) => text.replaceAll(sample, there[name as keyof typeof sampleIds] ?? randomUUID()),
    published,
  );
}

/**
 * Passes a request on to the gateway and its response back, both unchanged. API Management's portal has such a proxy too: the Partners API
 * is for servers and has no CORS, so a page can only reach it through its own origin.
 */
async function passOn(request: IncomingMessage, response: ServerResponse, gateway: string): Promise<void> {
  const { method, url = "/", headers } = request;
  const target = new URL(url, gateway);
  const onward = httpRequest(target, { method, headers: { ...headers, host: target.host } });
  response.once("close", () => onward.destroy()); // the browser disconnected
  request.pipe(onward);
  try {
    const [back] = (await once(onward, "response")) as [IncomingMessage];
    response.writeHead(back.statusCode ?? 502, back.headers);
    await pipeline(back, response);
  } catch (error) {
    if (!response.headersSent && !response.destroyed)
      return send(response, 502, "text/plain", `The gateway: ${String(error)}`);
    response.destroy();
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...safety, "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type });
  response.end(body);
}
