import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { waitFor } from "./wait-for.ts";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: "internal" | "server" | "client" | "producer" | "consumer";
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly failed: boolean;
  /** Of the process that made it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** What traces are sent to: keeps every span that arrives over OTLP, as protobuf over HTTP. */
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
    /** All that arrived, as text. */
    text: () => Buffer.concat(bodies).toString("latin1"),
    ofTrace: (traceId: string) => spans.filter((span) => span.traceId === traceId),
    until: (what: string, is: (span: ReceivedSpan) => boolean) =>
      waitFor(`the span ${what}`, async () => spans.find(is)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// The part of OTLP that spans need. Numbers are those of its declaration (opentelemetry/proto/trace/v1/trace.proto).

const kinds = ["internal", "internal", "server", "client", "producer", "consumer"] as const;
const FAILED = 2n;

function spansIn(body: Buffer): ReceivedSpan[] {
  return messages(body, 1).flatMap((ofProcess) => {
    const resource = attributesIn(messages(ofProcess, 1)[0] ?? Buffer.alloc(0), 1);
    return messages(ofProcess, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => ({
        traceId: messages(span, 1)[0]?.toString("hex") ?? "",
        spanId: messages(span, 2)[0]?.toString("hex") ?? "",
        parentSpanId: messages(span, 4)[0]?.toString("hex") ?? "",
        name: messages(span, 5)[0]?.toString() ?? "",
        kind: kinds[Number(numbers(span, 6)[0] ?? 0n)] ?? "internal",
        attributes: attributesIn(span, 9),
        events: messages(span, 11).map((event) => messages(event, 2)[0]?.toString() ?? ""),
        failed: messages(span, 15).some((status) => numbers(status, 3)[0] === FAILED),
        resource,
      }));
  });
}

const attributesIn = (message: Buffer, field: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    messages(message, field).map((pair) => [
      messages(pair, 1)[0]?.toString() ?? "",
      valueOf(messages(pair, 2)[0] ?? Buffer.alloc(0)),
    ]),
  );

/** A text, a whole number, a truth or a list of them; other values are not used here. */
function valueOf(value: Buffer): unknown {
  const [text] = messages(value, 1);
  if (text) return text.toString();
  const [list] = messages(value, 5);
  if (list) return messages(list, 1).map(valueOf);
  const [truth] = numbers(value, 2);
  return truth === undefined ? Number(numbers(value, 3)[0] ?? 0n) : truth === 1n;
}

const messages = (message: Buffer, field: number): Buffer[] =>
  fieldsOf(message).flatMap(([at, value]) => (at === field && Buffer.isBuffer(value) ? [value] : []));
const numbers = (message: Buffer, field: number): bigint[] =>
  fieldsOf(message).flatMap(([at, value]) => (at === field && typeof value === "bigint" ? [value] : []));

/** The fields of a protobuf message in their order: a number, or the bytes of a text or message. */
function fieldsOf(message: Buffer): [number, bigint | Buffer][] {
  const fields: [number, bigint | Buffer][] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const field = tag >>> 3;
    switch (tag & 7) {
      case 0:
        fields.push([field, varint()]);
        break;
      case 1:
        fields.push([field, bytes(8).readBigUInt64LE()]);
        break;
      case 2:
        fields.push([field, bytes(Number(varint()))]);
        break;
      case 5:
        fields.push([field, BigInt(bytes(4).readUInt32LE())]);
        break;
      default:
        throw new Error(`no protobuf: wire type ${tag & 7}`);
    }
  }
  return fields;
}
