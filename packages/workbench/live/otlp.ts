// The part of OTLP that spans need. The field numbers are those of opentelemetry/proto/trace/v1/trace.proto.

/** A span as sent. Times are milliseconds since 1970. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The names of its events. */
  readonly events: readonly string[];
  readonly failed: boolean;
  /** The resource of the process that made it. */
  readonly resource: Readonly<Record<string, unknown>>;
}

const kinds = ["internal", "internal", "server", "client", "producer", "consumer"] as const;
const FAILED = 2n;

/** The spans in the body of `POST /v1/traces`. Throws if the body is not protobuf. */
export function spansIn(body: Uint8Array): ReceivedSpan[] {
  return read(Buffer.from(body))
    .messages(1)
    .flatMap((ofProcess) => {
      const resource = attributesOf(ofProcess.messages(1)[0], 1);
      const spans = ofProcess.messages(2).flatMap((ofScope) => ofScope.messages(2));
      return spans.map((span) => spanOf(span, resource));
    });
}

const spanOf = (span: Message, resource: ReceivedSpan["resource"]): ReceivedSpan => ({
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parentSpanId: hex(span, 4),
  name: text(span, 5),
  kind: kinds[Number(span.number(6) ?? 0n)] ?? "internal",
  from: milliseconds(span, 7),
  to: milliseconds(span, 8),
  attributes: attributesOf(span, 9),
  events: span.messages(11).map((event) => text(event, 2)),
  failed: span.messages(15).some((status) => status.number(3) === FAILED),
  resource,
});

const hex = (message: Message, field: number): string => message.bytes(field)?.toString("hex") ?? "";
const text = (message: Message, field: number): string => message.bytes(field)?.toString() ?? "";

/** Converts from nanoseconds, which a number cannot hold exactly. */
const milliseconds = (message: Message, field: number): number =>
  Number((message.number(field) ?? 0n) / 1_000n) / 1_000;

const attributesOf = (message: Message | undefined, field: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries((message?.messages(field) ?? []).map((pair) => [text(pair, 1), valueOf(pair.messages(2)[0])]));

/** A text, an integer, a boolean, or a list of them. Other values are not used here, and are read as 0. */
function valueOf(value: Message | undefined): unknown {
  const said = value?.bytes(1);
  if (said) return said.toString();
  const [list] = value?.messages(5) ?? [];
  if (list) return list.messages(1).map(valueOf);
  const truth = value?.number(2);
  return truth === undefined ? Number(BigInt.asIntN(64, value?.number(3) ?? 0n)) : truth === 1n;
}

/** The fields of a protobuf message, by number. A field may occur several times. */
interface Message {
  messages(field: number): Message[];
  bytes(field: number): Buffer | undefined;
  number(field: number): bigint | undefined;
}

function read(message: Buffer): Message {
  const fields = fieldsOf(message);
  const all = (field: number) => fields.flatMap(([at, value]) => (at === field ? [value] : []));
  return {
    messages: (field) => all(field).flatMap((value) => (Buffer.isBuffer(value) ? [read(value)] : [])),
    bytes: (field) => all(field).find((value) => Buffer.isBuffer(value)),
    number: (field) => all(field).find((value) => typeof value === "bigint"),
  };
}

/** The fields in order. Each is a number, or the bytes of a text or message. */
function fieldsOf(message: Buffer): [number, bigint | Buffer][] {
  const fields: [number, bigint | Buffer][] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error("not protobuf: a number does not end");
  };
  const bytes = (length: number): Buffer => {
    if (length > message.length - at) throw new Error("not protobuf: a value ends after its message");
    return message.subarray(at, (at += length));
  };
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
        throw new Error(`not protobuf: wire type ${tag & 7}`);
    }
  }
  return fields;
}
