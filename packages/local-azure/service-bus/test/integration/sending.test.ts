import type { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it } from "vitest";
import { bodies, next, queueName, receivable, remaining, runningBroker } from "./running-broker.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

describe("a message", () => {
  it("arrives with everything its sender gave it", async () => {
    await using bus = await runningBroker();
    const sent = {
      body: { amount: 1250, currency: "EUR" },
      messageId: "m-1",
      correlationId: "c-1",
      subject: "payment",
      contentType: "application/json",
      to: "receiver",
      replyTo: "me",
      applicationProperties: { text: "a", integer: 7, fraction: 1.5, flag: true },
    };
    await bus.sender.sendMessages(sent);
    const message = await next(bus.receiver);
    expect(message).toMatchObject(sent);
    expect(message).toMatchObject({ deliveryCount: 0, state: "active", enqueuedTimeUtc: new Date(bus.clock.now()) });
    expect(message.sequenceNumber?.toNumber()).toBe(1);
  });

  it.each([
    ["none", undefined, 14 * day],
    ["a longer one", 30 * day, 14 * day],
    ["a shorter one", day, day],
  ])("that was sent with %s lives as long as its queue says at most", async (_, timeToLive, lives) => {
    await using bus = await runningBroker({ timeToLiveMs: 14 * day });
    await bus.sender.sendMessages({ body: 1, ...(timeToLive !== undefined && { timeToLive }) });
    expect(await next(bus.receiver)).toMatchObject({
      timeToLive: lives,
      expiresAtUtc: new Date(bus.clock.now() + lives),
    });
  });

  it("gets an id if it has none", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    expect((await next(bus.receiver)).messageId).toMatch(/^[0-9a-f]{32}$/);
  });

  it("may be text, bytes, nothing, or a value with a type of its own", async () => {
    await using bus = await runningBroker();
    const given = ["text", Buffer.from([0, 1, 255]), null, [1, 2], { deep: { list: [{}] } }];
    await bus.sender.sendMessages(given.map((body) => ({ body })));
    expect(bodies(await bus.receiver.receiveMessages(5))).toEqual(given);
  });

  it("may be of 700 kB where the limit allows it", async () => {
    await using bus = await runningBroker({}, { maxMessageBytes: 1024 * 1024 });
    const body = "x".repeat(700_000);
    await bus.sender.sendMessages({ body });
    const message = await next(bus.receiver);
    expect(message.body).toBe(body);
    await bus.receiver.completeMessage(message);
  });

  it("is refused by name when it is larger than the limit", async () => {
    await using bus = await runningBroker();
    await expect(bus.sender.sendMessages({ body: "x".repeat(300_000) })).rejects.toMatchObject({
      code: "MessageSizeExceeded",
    });
    expect(await remaining(bus)).toEqual([]);
  });
});

describe("several messages", () => {
  it("arrive in order when they are sent as a batch", async () => {
    await using bus = await runningBroker();
    const batch = await bus.sender.createMessageBatch();
    for (let i = 0; i < 3; i++) expect(batch.tryAddMessage({ body: i })).toBe(true);
    await bus.sender.sendMessages(batch);
    await bus.sender.sendMessages([{ body: 3 }, { body: 4 }]);
    expect(bodies(await bus.receiver.receiveMessages(5))).toEqual([0, 1, 2, 3, 4]);
  });

  it("are each a message of their own, with properties and ids", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([
      { body: "a", messageId: "a", applicationProperties: { n: 1 } },
      { body: "b", messageId: "b", applicationProperties: { n: 2 } },
    ]);
    expect(await bus.receiver.receiveMessages(2)).toMatchObject([
      { messageId: "a", applicationProperties: { n: 1 } },
      { messageId: "b", applicationProperties: { n: 2 } },
    ]);
  });

  it("fit a batch up to the link's limit, which the client asks for", async () => {
    await using bus = await runningBroker();
    expect((await bus.sender.createMessageBatch()).maxSizeInBytes).toBe(256 * 1024);
  });
});

describe("a scheduled message", () => {
  it("comes at its time and not before", async () => {
    await using bus = await runningBroker();
    const due = new Date(bus.clock.now() + minute);
    const [sequenceNumber] = await bus.sender.scheduleMessages({ body: "later" }, due);
    expect(await receivable(bus.receiver)).toEqual([]);
    expect(await bus.receiver.peekMessages(1)).toMatchObject([
      { state: "scheduled", scheduledEnqueueTimeUtc: due, sequenceNumber },
    ]);
    bus.clock.advance(minute);
    expect(await next(bus.receiver)).toMatchObject({ body: "later", enqueuedTimeUtc: due, state: "scheduled" });
  });

  it("may be sent like any other, with its time on it", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "later", scheduledEnqueueTimeUtc: new Date(bus.clock.now() + minute) });
    expect(await receivable(bus.receiver)).toEqual([]);
    bus.clock.advance(minute);
    expect((await next(bus.receiver)).body).toBe("later");
  });

  it("can be cancelled until it has come", async () => {
    await using bus = await runningBroker();
    const due = new Date(bus.clock.now() + minute);
    const numbers = await bus.sender.scheduleMessages([{ body: "kept" }, { body: "cancelled" }], due);
    await bus.sender.cancelScheduledMessages(numbers.slice(1));
    bus.clock.advance(minute);
    expect(bodies(await bus.receiver.receiveMessages(2, { maxWaitTimeInMs: 500 }))).toEqual(["kept"]);
    const tooLate = bus.sender.cancelScheduledMessages(numbers.slice(0, 1));
    await expect(tooLate).rejects.toMatchObject({ code: "MessageNotFound" });
  });
});

describe("a dead-letter queue", () => {
  const address = `${queueName}/$DeadLetterQueue`;

  it.each([
    ["sending", (client: ServiceBusClient) => client.createSender(address).sendMessages({ body: 1 })],
    [
      "scheduling",
      (client: ServiceBusClient) => client.createSender(address).scheduleMessages({ body: 1 }, new Date()),
    ],
  ])("refuses %s: only its queue moves messages there", async (_, act) => {
    await using bus = await runningBroker();
    await expect(act(bus.client)).rejects.toThrow("cannot be sent to a dead-letter queue");
    expect(await bus.deadLetters.peekMessages(1)).toEqual([]);
  });
});

describe("an unknown queue", () => {
  it.each([
    ["sending", (client: ServiceBusClient) => client.createSender("nowhere").sendMessages({ body: 1 })],
    ["receiving", (client: ServiceBusClient) => client.createReceiver("nowhere").receiveMessages(1)],
    ["peeking", (client: ServiceBusClient) => client.createReceiver("nowhere").peekMessages(1)],
  ])("is named in the error on %s", async (_, act) => {
    await using bus = await runningBroker();
    await expect(act(bus.client)).rejects.toMatchObject({
      code: "MessagingEntityNotFound",
      message: expect.stringMatching(/The messaging entity 'sb:\/\/[^']*nowhere[^']*' could not be found\./) as string,
    });
  });

  it("is one that differs in more than upper and lower case", async () => {
    await using bus = await runningBroker();
    await bus.client.createSender(queueName.toUpperCase()).sendMessages({ body: 1 });
    expect((await next(bus.receiver)).body).toBe(1);
  });
});
