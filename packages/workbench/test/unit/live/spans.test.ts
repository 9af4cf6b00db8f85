import { createServer, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ReceivedSpan } from "../../../live/otlp.ts";
import { spanReceiver } from "../../../live/spans.ts";
import { fc } from "../../../../../test/support/drawn.ts";

let server: Server;
let url: string;
const received: ReceivedSpan[] = [];
beforeAll(async () => {
  const spans = spanReceiver((arrived) => received.push(...arrived));
  server = createServer((request, response) => {
    if (!spans(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/v1/traces`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => void received.splice(0));

async function statusOf(body: Uint8Array, headers = {}, method = "POST"): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: { "content-type": "application/x-protobuf", ...headers },
    ...(method === "POST" && { body: Buffer.from(body) }),
  });
  return response.status;
}

it("receives the spans of OpenTelemetry's own exporter, with their times", async () => {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "app" }),
    spanProcessors: [new SimpleSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const tracer = provider.getTracer("test");
  const span = tracer.startSpan("work", { kind: SpanKind.CONSUMER, startTime: 1_795_253_400_000.5 });
  span.setAttributes({ text: "å", whole: -7, yes: true, list: ["a", "b"] });
  span.addEvent("met");
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(1_795_253_400_012.75);
  await provider.shutdown();
  const { traceId, spanId } = span.spanContext();
  expect(received).toEqual([
    {
      traceId,
      spanId,
      parentSpanId: "",
      name: "work",
      kind: "consumer",
      from: 1_795_253_400_000.5,
      to: 1_795_253_400_012.75,
      attributes: { text: "å", whole: -7, yes: true, list: ["a", "b"] },
      events: ["met"],
      failed: true,
      resource: { "service.name": "app" },
    },
  ]);
});

/** A body with one span that has only a name. */
const named = (name: string): Buffer => {
  const field = (number: number, value: Buffer) => Buffer.concat([Buffer.from([number * 8 + 2, value.length]), value]);
  return field(1, field(2, field(2, field(5, Buffer.from(name)))));
};

it("reads compressed spans", async () => {
  expect(await statusOf(gzipSync(named("small")), { "content-encoding": "gzip" })).toBe(200);
  expect(received.map(({ name }) => name)).toEqual(["small"]);
});

it.each([
  ["a text", Buffer.from("hello"), {}, "POST", 400],
  ["a span that is cut off", named("cut").subarray(0, -1), {}, "POST", 400],
  ["what is not compressed and named so", named("plain"), { "content-encoding": "gzip" }, "POST", 400],
  ["JSON", Buffer.from("{}"), { "content-type": "application/json" }, "POST", 415],
  ["a read", Buffer.alloc(0), {}, "GET", 405],
  ["five megabytes", Buffer.alloc(5 * 1024 * 1024), {}, "POST", 413],
  ["five megabytes, compressed", gzipSync(Buffer.alloc(5 << 20)), { "content-encoding": "gzip" }, "POST", 413],
])("refuses %s, and receives nothing", async (_, body, headers, method, status) => {
  expect(await statusOf(body, headers, method)).toBe(status);
  expect(received).toEqual([]);
});

it("responds to any bytes, and continues", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (bytes) => {
      expect([200, 400]).toContain(await statusOf(bytes));
    }),
    { numRuns: 200 },
  );
  expect(await statusOf(named("after"))).toBe(200);
});
