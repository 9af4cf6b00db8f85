import { createServer, type RequestListener } from "node:http";
import { context, SpanKind, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inSpan } from "../../../shared/adapters/tracing/spans.ts";
import { contextOf } from "../../../shared/adapters/tracing/trace-context.ts";
import { startTracing } from "../../../shared/adapters/tracing/tracing.ts";
import { TRACEPARENT } from "./recorded-spans.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  trace.disable();
  context.disable();
  vi.unstubAllEnvs();
});

/** The address of a server that responds like this; without a responder, a closed port. */
async function addressOf(answer?: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  if (answer) ends.push(close);
  else await close();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** The SDK as the app starts it, which sends each span after a millisecond. */
async function tracingTo(endpoint: string, timeoutMs: number) {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
  vi.stubEnv("OTEL_EXPORTER_OTLP_TIMEOUT", String(timeoutMs));
  const troubles: unknown[] = [];
  const settings = { sampler: "always_on", ratio: 1, batchDelayMs: 1 } as const;
  const tracing = startTracing({ settings, resource: {}, troubled: (error) => void troubles.push(error) });
  await tracing.ready();
  return { troubles, tracing };
}

const work = async () =>
  inSpan({ name: "work", kind: SpanKind.INTERNAL, attributes: {} }, contextOf(TRACEPARENT), async () => "done");

describe("an address for traces", () => {
  it.each<[string, RequestListener | undefined]>([
    ["refuses connections", undefined],
    ["does not respond", () => {}],
    ["responds with an error", (_, response) => void response.writeHead(400).end()],
  ])("that %s fails no work, and is reported", async (_, answer) => {
    const { troubles, tracing } = await tracingTo(await addressOf(answer), 200);
    expect(await work()).toBe("done");
    await expect.poll(() => troubles.length).toBeGreaterThan(0);
    expect(await work()).toBe("done");
    await tracing.end();
  });

  it("that does not respond holds up neither work nor, for more than seconds, the end of the app", async () => {
    const { promise: began, resolve } = Promise.withResolvers<void>();
    const { tracing } = await tracingTo(await addressOf(() => resolve()), 60_000);
    await work();
    await began; // the first batch is on its way, and remains there
    const before = performance.now();
    for (let i = 0; i < 10_000; i++) await work(); // more than the SDK keeps
    await tracing.end();
    expect(performance.now() - before).toBeLessThan(30_000);
  });
});

it("the last spans are sent at the end of the app", async () => {
  const bodies: number[] = [];
  const answer: RequestListener = (request, response) => {
    request.on("data", (chunk: Buffer) => bodies.push(chunk.length)).on("end", () => response.end());
  };
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", await addressOf(answer));
  const settings = { sampler: "always_on", ratio: 1, batchDelayMs: 600_000 } as const;
  const tracing = startTracing({
    settings,
    resource: {},
    troubled: (error) => {
      throw error;
    },
  });
  await tracing.ready();
  await work();
  expect(bodies).toEqual([]);
  await tracing.end();
  expect(bodies.length).toBeGreaterThan(0);
});
