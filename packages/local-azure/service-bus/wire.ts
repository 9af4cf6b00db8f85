import { randomUUID } from "node:crypto";
import * as amqp from "./amqp-values.ts";
import type { AmqpValue, Writable } from "./amqp-values.ts";
import type { Entry, Message, Properties } from "./message.ts";
import { readBody, readSections, section, writeSection, type Sections } from "./sections.ts";

/** The message format of a batch. Each of its data sections contains an encoded message. Any other format is one message. */
const batchFormat = 0x80013700;

/** Milliseconds in a header's 32 bits: 49 days. */
const longestTtl = 0xff_ff_ff_ff;

const stateCode = { active: 0, deferred: 1, scheduled: 2 } as const;
const field = { ttl: 2, messageId: 0, replyTo: 4, absoluteExpiry: 8, creation: 9, groupId: 10 } as const;

/** Reads one transfer: a message or a batch of messages. Throws if the bytes are not AMQP messages. */
export function decodeTransfer(payload: Buffer, format: number): Message[] {
  if (format !== batchFormat) return [decodeMessage(payload)];
  return readBody(readSections(payload).body).map(({ code, value }) => {
    const bytes = amqp.bytesOf(value);
    if (code !== section.data || !bytes) throw new TypeError("a batch holds something else than data sections");
    return decodeMessage(bytes);
  });
}

/** Reads one message. A message without a message-id gets one, because the clients' lock renewal needs it. */
export function decodeMessage(payload: Buffer): Message {
  const { head, body } = readSections(payload);
  const header = amqp.itemsOf(head.get(section.header)?.value);
  const annotations = amqp.entriesOf(head.get(section.messageAnnotations)?.value);
  const given = head.get(section.properties);
  const fields = amqp.itemsOf(given?.value);
  const givenId = idText(fields[field.messageId]);
  const id = givenId ?? randomUUID().replaceAll("-", "");
  return {
    id,
    sessionId: amqp.textOf(fields[field.groupId]),
    timeToLiveMs: amqp.numberOf(header[field.ttl]) ?? Infinity,
    scheduledFor: amqp.numberOf(annotations.get("x-opt-scheduled-enqueue-time")),
    content: {
      header,
      annotations,
      properties:
        given && givenId !== undefined
          ? given.bytes
          : writeSection(section.properties, amqp.list([amqp.string(id), ...fields.slice(1)])),
      applicationProperties: head.get(section.applicationProperties)?.bytes ?? Buffer.alloc(0),
      body,
    },
  };
}

/** A message for its receivers: the sender's unchanged sections, after the broker's header and annotations. */
export function encodeEntry(entry: Entry): Buffer {
  const { header, annotations, applicationProperties, body } = entry.message.content;
  const [durable, priority, , firstAcquirer] = header;
  const ttl = Number.isFinite(entry.timeToLiveMs) ? amqp.uint(Math.min(entry.timeToLiveMs, longestTtl)) : undefined;
  const marks = new Map<string, Writable>([
    ...annotations,
    ["x-opt-sequence-number", amqp.long(entry.sequenceNumber)],
    ["x-opt-enqueue-sequence-number", amqp.long(entry.enqueuedSequenceNumber)],
    ["x-opt-enqueued-time", amqp.timestamp(entry.enqueuedAt)],
    ["x-opt-message-state", amqp.int(stateCode[shownState(entry)])],
  ]);
  if (entry.lock) marks.set("x-opt-locked-until", amqp.timestamp(entry.lock.until));
  if (entry.deadLetterSource !== undefined) marks.set("x-opt-deadletter-source", entry.deadLetterSource);
  return Buffer.concat([
    writeSection(section.header, amqp.list([durable, priority, ttl, firstAcquirer, amqp.uint(entry.deliveryCount)])),
    writeSection(section.messageAnnotations, amqp.symbolMap(marks)),
    propertiesOf(entry),
    entry.properties.size === 0 ? applicationProperties : withProperties(applicationProperties, entry.properties),
    body,
  ]);
}

/** The sender's properties. Clients read the time to live from two times in them. If the queue has lowered it, both are changed. */
function propertiesOf({ message, timeToLiveMs }: Entry): Buffer {
  const { properties } = message.content;
  if (timeToLiveMs >= message.timeToLiveMs) return properties;
  const fields = amqp.itemsOf(readSections(properties).head.get(section.properties)?.value);
  const created = amqp.numberOf(fields[field.creation]);
  if (created === undefined || amqp.numberOf(fields[field.absoluteExpiry]) === undefined) return properties;
  const lowered = fields.with(field.absoluteExpiry, amqp.timestamp(created + timeToLiveMs));
  return writeSection(section.properties, amqp.list(lowered));
}

/** The state in the annotation. It reports a message as scheduled even after its time. The queue treats such a message like any other. */
const shownState = ({ state, wasScheduled }: Entry): Entry["state"] =>
  state === "active" && wasScheduled ? "scheduled" : state;

/** A lock token as the tag of its delivery: sixteen bytes in the byte order of a .NET Guid. */
export function lockTag(token: string): Buffer {
  const bytes = amqp.uuidBytes(token);
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}

/** A request to `$cbs` or `$management`. */
export interface Request {
  readonly messageId: AmqpValue | undefined;
  readonly replyTo: string;
  readonly properties: ReadonlyMap<string, AmqpValue>;
  readonly body: ReadonlyMap<string, AmqpValue>;
  /** The body if it is a text, such as a token. */
  readonly text: string;
}

/** Reads a request. Throws if the bytes are not an AMQP message. */
export function decodeRequest(payload: Buffer): Request {
  const { head, body } = readSections(payload);
  const fields = amqp.itemsOf(head.get(section.properties)?.value);
  const content = readBody(body).find(({ code }) => code === section.value)?.value;
  return {
    messageId: fields[field.messageId],
    replyTo: amqp.textOf(fields[field.replyTo]) ?? "",
    properties: applicationPropertiesOf(head),
    body: amqp.entriesOf(content),
    text: amqp.textOf(content) ?? "",
  };
}

export function encodeReply(request: Request, properties: ReadonlyMap<string, Writable>, body: Writable): Buffer {
  const addressed = amqp.list([undefined, undefined, request.replyTo, undefined, undefined, request.messageId]);
  return Buffer.concat([
    writeSection(section.properties, addressed),
    writeSection(section.applicationProperties, amqp.map(properties)),
    writeSection(section.value, amqp.wrap(body)),
  ]);
}

function withProperties(encoded: Buffer, more: Properties): Buffer {
  const own = applicationPropertiesOf(readSections(encoded).head);
  return writeSection(section.applicationProperties, amqp.map(new Map<string, Writable>([...own, ...more])));
}

const applicationPropertiesOf = (head: Sections["head"]): Map<string, AmqpValue> =>
  amqp.entriesOf(head.get(section.applicationProperties)?.value);

/** The text of a message-id, which may be a string, a number, a uuid or bytes. */
function idText(value: AmqpValue | undefined): string | undefined {
  return amqp.textOf(value) ?? amqp.bytesOf(value)?.toString("hex") ?? amqp.numberOf(value)?.toString();
}
