import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seenBy, startAll, stateOf, type Message, type Seen } from "./running-queues.ts";

let all: Awaited<ReturnType<typeof startAll>>;
beforeAll(async () => {
  all = await startAll();
});
afterAll(() => all[Symbol.asyncDispose]());

describe("what a function sees of a message", () => {
  /** Sends a message to the queue "notes" and waits until the function has seen it. */
  const note = async (message: Message): Promise<Seen> => {
    const { seen } = await stateOf(all.host);
    const before = seen.filter(({ queue }) => queue === "notes").length;
    await all.send("notes", message);
    const [last] = (await seenBy(all.host, "notes", before + 1)).slice(before);
    if (!last) throw new Error("nothing was seen");
    return last;
  };

  it.each([
    ["an object", { a: [1] }, { a: [1] }],
    ["bytes of JSON", Buffer.from('["b"]'), ["b"]],
    ["bytes of a number", Buffer.from("42"), 42],
    ["bytes of other text", Buffer.from("plain ü"), "plain ü"],
  ])("is the body, parsed if it is JSON: %s", async (_name, body, message) => {
    expect((await note({ body })).message).toEqual(message);
  });

  it("is the body of a sender that knows AMQP's own types, as long as it is text", async () => {
    expect((await note({ body: '{"a":1}', bodyType: "value" })).message).toEqual({ a: 1 });
    await all.send("notes", { body: 42, bodyType: "value" });
    await expect.poll(() => all.host.log.join("\n")).toContain("cannot be bound to string data");
  });

  it("is bytes where the trigger asks for them", async () => {
    await all.send("binary", { body: Buffer.from([0, 200]) });
    const [{ message } = {}] = await seenBy(all.host, "binary", 1);
    expect(message).toEqual({ type: "Buffer", data: [0, 200] });
  });

  it("is the extension's metadata, in camel case, numbers as numbers and times without a zone", async () => {
    const due = new Date("2026-01-02T03:04:05.600Z");
    const { triggerMetadata } = await note({
      body: "x",
      messageId: "an-id",
      correlationId: "a-correlation",
      contentType: "text/plain",
      subject: "a-subject",
      to: "someone",
      replyTo: "an-answer-queue",
      timeToLive: 3_600_000,
      applicationProperties: { Kind: "first", count: 2, due },
    });
    const { enqueuedTimeUtc, expiresAtUtc, ...others } = triggerMetadata;
    const properties = { kind: "first", count: 2, due: due.toISOString() };
    expect(others).toEqual({
      messageId: "an-id",
      correlationId: "a-correlation",
      contentType: "text/plain",
      subject: "a-subject",
      label: "a-subject",
      to: "someone",
      replyTo: "an-answer-queue",
      deliveryCount: 1,
      sequenceNumber: expect.any(Number),
      lockToken: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      enqueuedTime: `${String(enqueuedTimeUtc)}+00:00`,
      expiresAt: `${String(expiresAtUtc)}+00:00`,
      applicationProperties: properties,
      userProperties: properties,
    });
    expect(enqueuedTimeUtc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?$/);
    expect(Date.parse(`${String(expiresAtUtc)}Z`) - Date.parse(`${String(enqueuedTimeUtc)}Z`)).toBe(3_600_000);
  });

  it("is an expiry at the end of time where the message has none", async () => {
    expect((await note({ body: "x" })).triggerMetadata["expiresAtUtc"]).toBe("9999-12-31T23:59:59.9999999");
  });

  it("is metadata parsed where it parses as JSON, as the library does with every string", async () => {
    expect((await note({ body: "x", messageId: "12", subject: "true" })).triggerMetadata).toMatchObject({
      messageId: 12,
      subject: true,
    });
  });

  it("is the body's own members where they hide metadata of the same name", async () => {
    const body = { MESSAGEID: "of-the-body", subject: { nested: 1 }, done: true, list: [1], none: null };
    const { triggerMetadata } = await note({ body, messageId: "of-the-message", subject: "of-the-message" });
    expect(triggerMetadata).toMatchObject({ messageId: "of-the-body", subject: { nested: 1 }, done: "True" });
    expect(triggerMetadata).not.toHaveProperty("list");
    expect(triggerMetadata).not.toHaveProperty("none");
  });

  it("is the sender's trace, with a span of its own", async () => {
    const sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { traceParent } = await note({ body: "x", applicationProperties: { "Diagnostic-Id": sent } });
    expect(traceParent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/);
  });
});
