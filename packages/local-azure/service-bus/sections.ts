import rhea from "rhea";
import type { AmqpValue } from "./amqp-values.ts";
import { endOfValue } from "./bounded-encoding.ts";

/** The sections of an AMQP message in order, with the codes of their descriptors. */
export const section = {
  header: 0x70,
  deliveryAnnotations: 0x71,
  messageAnnotations: 0x72,
  properties: 0x73,
  applicationProperties: 0x74,
  data: 0x75,
  value: 0x77,
} as const;

/** The same descriptors as symbols, a rare form. */
const symbols: Record<string, number> = {
  "amqp:header:list": section.header,
  "amqp:delivery-annotations:map": section.deliveryAnnotations,
  "amqp:message-annotations:map": section.messageAnnotations,
  "amqp:properties:list": section.properties,
  "amqp:application-properties:map": section.applicationProperties,
  "amqp:data:binary": section.data,
  "amqp:amqp-value:*": section.value,
};

/** rhea's reader and writer, which its type declarations leave out. */
interface Reader {
  position: number;
  remaining(): number;
  read(): AmqpValue;
}
interface Writer {
  write(value: AmqpValue): void;
  toBuffer(): Buffer;
}
const codec = rhea.types as unknown as {
  readonly Reader: new (buffer: Buffer) => Reader;
  readonly Writer: new () => Writer;
};

/** The sections before the body, each with its bytes, and the unread rest. */
export interface Sections {
  readonly head: ReadonlyMap<number, { readonly value: AmqpValue; readonly bytes: Buffer }>;
  /** The body's sections and the footer. */
  readonly body: Buffer;
}

/** Splits an encoded message into its sections without reading its body. Throws if the bytes are not AMQP sections. */
export function readSections(payload: Buffer): Sections {
  const reader = new codec.Reader(payload);
  const head = new Map<number, { value: AmqpValue; bytes: Buffer }>();
  while (reader.remaining() > 0) {
    const start = reader.position;
    const code = codeAt(payload, start);
    if (code >= section.data) return { head, body: payload.subarray(start) };
    endOfValue(payload, start);
    const value = reader.read();
    head.set(code, { value, bytes: payload.subarray(start, reader.position) });
  }
  return { head, body: Buffer.alloc(0) };
}

/** Reads the sections of a body. Data sections may be repeated. */
export function readBody(body: Buffer): { code: number; value: AmqpValue }[] {
  const reader = new codec.Reader(body);
  const sections: { code: number; value: AmqpValue }[] = [];
  while (reader.remaining() > 0) {
    endOfValue(body, reader.position);
    const value = reader.read();
    sections.push({ code: codeOf(value.descriptor), value });
  }
  return sections;
}

export function writeSection(code: number, value: AmqpValue): Buffer {
  const writer = new codec.Writer();
  writer.write(rhea.types.described_nc(rhea.types.wrap_ulong(code), value) as AmqpValue);
  return writer.toBuffer();
}

/** The code of the section that starts there. Its content is not read. */
function codeAt(payload: Buffer, start: number): number {
  if (payload[start] !== 0) throw new TypeError("a section without a descriptor");
  endOfValue(payload, start + 1);
  const reader = new codec.Reader(payload);
  reader.position = start + 1;
  return codeOf(reader.read());
}

function codeOf(descriptor: AmqpValue | undefined): number {
  const value = descriptor?.value;
  const code = typeof value === "string" ? symbols[value] : value;
  if (typeof code !== "number") throw new TypeError(`not a message section: ${String(value)}`);
  return code;
}
