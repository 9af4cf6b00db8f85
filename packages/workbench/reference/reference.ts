import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { boundedServer, endAnswer } from "../../local-azure/common/bounded-server.ts";
import { loopbackOnly, type Opening } from "../../local-azure/common/loopback-only.ts";
import { listenOnLoopback, type LoopbackServer } from "../../local-azure/common/loopback-server.ts";
import { apis, demoIds, publishedDocument, withIds } from "./demo-documents.ts";
import { curlFor, samplePayment } from "../first-payment.ts";
import { pageFiles } from "../live/page-files.ts";
import { isForeign, jsonOf, pageSafety } from "../live/page-requests.ts";
import { Refusal } from "../live/source.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { scriptList } from "../../terminal/simulated/scripts.ts";
import type { Living } from "./live-examples.ts";
import { problemsHtml } from "./problems-html.ts";
import { newTry } from "./try.ts";
import type { DemoView } from "./views/demo.ts";
import type { TryInput } from "./views/try.ts";

const nothingYet: Living = { payments: () => [], calls: () => [] };

const tryInput = z.strictObject({
  operation: z.string().min(1).max(200),
  fields: z.record(z.string(), z.string().max(2_000)),
  body: z.string().max(200_000).optional(),
  preview: z.boolean().optional(),
}) as unknown as z.ZodType<TryInput>;

/**
 * Serves the reference of the three APIs on loopback, with a form that tries each operation on the running stack. Identifiers come from
 * `living` payments, if there are any. It rejects requests under a foreign name and requests from foreign pages, because the page can move
 * the demo's money. If the port is in use, rejects with the error of `listen`.
 */
export async function startReference(options: {
  readonly port: number;
  /** The address and name at which the page is reached, in addition to loopback. */
  readonly open?: Opening | undefined;
  readonly stack: StackFile;
  /** The stack file with the addresses that people follow, if they differ. */
  readonly shown?: StackFile;
  readonly living?: Living;
}): Promise<LoopbackServer> {
  const { stack, shown = stack, living = nothingYet } = options;
  const files = await pageFiles(new URL("page/", import.meta.url));
  const { operations, tryOut } = newTry(stack, living, shown);
  const server = boundedServer(
    loopbackOnly((request, response) => {
      if (isForeign(request))
        return sendText(request, response, [403, "This server accepts requests only from its own page."]);
      answer(request).then(
        (content) => send(request, response, content),
        (error: unknown) => sendError(request, response, error),
      );
    }, options.open),
  );

  async function answer(request: IncomingMessage): Promise<Content | undefined> {
    const [path = "/"] = (request.url ?? "/").split("?");
    if (request.method === "POST" && path === "/try") return json(await tryOut(tryInput.parse(await jsonOf(request))));
    if (request.method !== "GET") return undefined;
    if (path === "/operations") return json(await operations());
    if (path === "/demo.json") return json(demoView(shown));
    const api = apis.find((one) => path === `/openapi/${one}.json`);
    if (api) return ["application/json", withIds(await publishedDocument(api, referenceUrl()), demoIds(api, stack))];
    if (path === "/problems") {
      const { live: liveUrl, landingPage: landingPageUrl } = shown;
      return ["text/html", await problemsHtml({ liveUrl, referenceUrl: referenceUrl(), landingPageUrl })];
    }
    return files.get(path);
  }

  const here = await listenOnLoopback(server, options.port, options.open?.host);
  const referenceUrl = () => shown.reference ?? here.url;
  return here;
}

type Content = readonly [type: string, body: string | Uint8Array];

const json = (value: unknown): Content => ["application/json", JSON.stringify(value)];

const demoView = (stack: StackFile): DemoView => ({
  baseUrl: stack.baseUrl,
  terminalsUrl: stack.terminalsUrl,
  ...(stack.live !== undefined && { liveUrl: stack.live }),
  ...(stack.landingPage !== undefined && { landingPageUrl: stack.landingPage }),
  keys: [
    { header: "apikey", value: stack.demo.apikey },
    { header: "Ocp-Apim-Subscription-Key", value: stack.demo.subscriptionKey },
  ],
  webhookSecret: stack.demo.webhookSecret,
  curl: curlFor(stack, samplePayment(stack)),
  scripts: scriptList(),
});

function send(request: IncomingMessage, response: ServerResponse, content: Content | undefined): void {
  if (!content) return sendText(request, response, [404, "There is no such page."]);
  const [type, body] = content;
  const isText = !type.startsWith("font/");
  const isPacked = isText && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  response.writeHead(200, {
    ...pageSafety,
    "content-type": isText ? `${type}; charset=utf-8` : type,
    ...(isPacked && { "content-encoding": "gzip", vary: "accept-encoding" }),
  });
  response.end(isPacked ? gzipSync(body) : body);
}

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (error instanceof Refusal) return sendText(request, response, [422, error.message]);
  if (error instanceof z.ZodError) return sendText(request, response, [422, z.prettifyError(error)]);
  console.error(error);
  response.destroy();
}

/** Responds with a sentence. The request's body may not have been read. */
function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  [status, sentence]: readonly [number, string],
): void {
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries({ ...pageSafety, "content-type": "text/plain; charset=utf-8" })));
  endAnswer(request, response, sentence);
}
