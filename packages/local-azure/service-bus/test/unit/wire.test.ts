import rhea, { type Message as RheaMessage } from "rhea";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../message.ts";
import { decodeTransfer, encodeEntry, lockTag } from "../../wire.ts";

const { types } = rhea;
const codec = rhea.message;
const batchFormat = 0x80013700;

const decodeOne = (message: RheaMessage) => {
  const [decoded] = decodeTransfer(codec.encode(message), 0);
  if (!decoded) throw new Error("nothing was decoded");
  return decoded;
};

const anEntry = (message: RheaMessage, given: Partial<Entry> = {}): Entry => ({
  message: decodeOne(message),
  timeToLiveMs: message.ttl ?? Infinity,
  wasScheduled: false,
  sequenceNumber: 7,
  enqueuedSequenceNumber: 5,
  enqueuedAt: Date.UTC(2026, 0, 1),
  expiresAt: Infinity,
  deadLetterSource: undefined,
  state: "active",
  deliveryCount: 2,
  properties: new Map(),
  lock: undefined,
  ...given,
});

const typedNumbers = { int: types.wrap_int(7), long: types.wrap_long(7), double: types.wrap_double(7) };

describe("what a receiver gets", () => {
  it("is byte for byte what was sent, where the broker has nothing to say", () => {
    const bare = codec.encode({ message_id: "m", application_properties: typedNumbers, body: typedNumbers });
    const sent = bare.subarray(bare.indexOf(Buffer.from([0x00, 0x53, 0x73])));
    const received = encodeEntry(
      anEntry({ message_id: "m", application_properties: typedNumbers, body: typedNumbers }),
    );
    expect(received.subarray(-sent.length)).toEqual(sent);
  });

  it("carries the broker's annotations beside the sender's", () => {
    const lock = { token: "t", consumer: undefined, until: Date.UTC(2026, 0, 2) };
    const entry = anEntry({ body: 1, message_annotations: { mine: "kept" } }, { lock, deadLetterSource: "orders" });
    expect(codec.decode(encodeEntry(entry))).toMatchObject({
      delivery_count: 2,
      message_annotations: {
        mine: "kept",
        "x-opt-sequence-number": 7,
        "x-opt-enqueue-sequence-number": 5,
        "x-opt-enqueued-time": new Date(entry.enqueuedAt),
        "x-opt-locked-until": new Date(lock.until),
        "x-opt-deadletter-source": "orders",
        "x-opt-message-state": 0,
      },
    });
  });

  it("keeps header fields of the sender", () => {
    const sent = { body: 1, durable: true, priority: 9, ttl: 5_000, first_acquirer: false };
    expect(codec.decode(encodeEntry(anEntry(sent)))).toMatchObject(sent);
  });

  it("has the properties that were set at settling, and the types of all others", () => {
    const properties = new Map([["DeadLetterReason", "Unreadable"]]);
    const received = encodeEntry(anEntry({ body: 1, application_properties: typedNumbers }, { properties }));
    expect(codec.decode(received)["application_properties"]).toEqual({
      int: 7,
      long: 7,
      double: 7,
      DeadLetterReason: "Unreadable",
    });
    for (const value of Object.values(typedNumbers)) expect(received.includes(written(value))).toBe(true);
  });

  it("has a message-id in any case", () => {
    const received = codec.decode(encodeEntry(anEntry({ body: 1, subject: "kept" })));
    expect(received["message_id"]).toMatch(/^[0-9a-f]{32}$/);
    expect(received["subject"]).toBe("kept");
  });
});

describe("what the broker reads from a message", () => {
  it("is its id, session, time to live and schedule", () => {
    const due = new Date(Date.UTC(2026, 5, 1));
    const annotations = { "x-opt-scheduled-enqueue-time": due };
    const message = { body: 1, message_id: "m", group_id: "s", ttl: 1_000, message_annotations: annotations };
    expect(decodeOne(message)).toMatchObject({
      id: "m",
      sessionId: "s",
      timeToLiveMs: 1_000,
      scheduledFor: due.getTime(),
    });
  });

  it.each([
    ["a number", 12, "12"],
    ["a uuid", Buffer.alloc(16, 0xab), "ab".repeat(16)],
  ])("is an id that is %s, too", (_, given, id) => {
    expect(decodeOne({ body: 1, message_id: given }).id).toBe(id);
  });

  it("is every message of a batch", () => {
    const encoded = ["a", "b"].map((id) => codec.encode({ body: 1, message_id: id }));
    const batch = codec.encode({ body: codec.data_sections(encoded), message_id: "the batch's own" });
    expect(decodeTransfer(batch, batchFormat).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it.each([
    ["no AMQP", Buffer.from("no AMQP"), 0],
    ["a batch of something else", codec.encode({ body: "text" }), batchFormat],
    ["a message that is cut off", codec.encode({ body: 1, message_id: "m" }).subarray(0, 5), 0],
  ])("is nothing, with an error, where it is %s", (_, payload, format) => {
    expect(() => decodeTransfer(payload, format)).toThrow(/section|bounds|range/i);
  });
});

it("writes a lock token in the byte order of a .NET Guid", () => {
  expect(lockTag("00112233-4455-6677-8899-aabbccddeeff").toString("hex")).toBe("33221100554477668899aabbccddeeff");
});

/** The bytes of an encoded value. */
function written(value: typeof typedNumbers.int): Buffer {
  const whole = codec.encode({ body: value });
  return whole.subarray(whole.lastIndexOf(Buffer.from([0x00, 0x53, 0x77])) + 3);
}
