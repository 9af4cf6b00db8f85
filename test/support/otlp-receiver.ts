import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { spansIn, type ReceivedSpan } from "../../packages/workbench/live/otlp.ts";
import { LONG, waitFor } from "./wait-for.ts";

/** The receiver of traces. It stores every span that arrives over OTLP, as protobuf over HTTP. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await buffer(request);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      bodies.push(body);
      spans.push(...spansIn(body));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** All received bodies, as text. */
    text: () => Buffer.concat(bodies).toString("latin1"),
    ofTrace: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    until: (what: string, is: (span: ReceivedSpan) => boolean) =>
      waitFor(`the span ${what}`, async () => spans.find(is), {
        ...LONG, // a host may be killed meanwhile
        show: () => new Set(spans.map(({ name }) => name)),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
