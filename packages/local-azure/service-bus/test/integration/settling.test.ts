import { describe, expect, it } from "vitest";
import { deferNext, next, receivable, remaining, runningBroker } from "./running-broker.ts";

const minute = 60_000;

describe("a received message", () => {
  it("is gone once it is completed", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    await bus.receiver.completeMessage(await next(bus.receiver));
    expect(await remaining(bus)).toEqual([]);
  });

  it("comes again at once when it is abandoned, with the delivery counted and properties set", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1, applicationProperties: { kept: "yes", changed: "before" } });
    await bus.receiver.abandonMessage(await next(bus.receiver), { changed: "after", added: 2 });
    const again = await next(bus.receiver);
    expect(again.deliveryCount).toBe(1);
    expect(again.applicationProperties).toEqual({ kept: "yes", changed: "after", added: 2 });
  });

  it("is received by its number alone when it is deferred", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "deferred" });
    const sequenceNumber = await deferNext(bus);
    expect(await receivable(bus.receiver)).toEqual([]);
    expect(await bus.receiver.peekMessages(1)).toMatchObject([{ state: "deferred" }]);
    const [again] = await bus.receiver.receiveDeferredMessages(sequenceNumber);
    expect(again).toMatchObject({ body: "deferred", deliveryCount: 1, applicationProperties: { why: "not yet" } });
    if (again) await bus.receiver.completeMessage(again);
    expect(await remaining(bus)).toEqual([]);
  });

  it("is a dead letter with the reason that its receiver gave", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "bad", applicationProperties: { kept: 1 } });
    await bus.receiver.deadLetterMessage(await next(bus.receiver), {
      deadLetterReason: "Unreadable",
      deadLetterErrorDescription: "no JSON",
      attempt: 7,
    });
    const dead = await next(bus.deadLetters);
    expect(dead).toMatchObject({
      body: "bad",
      deadLetterReason: "Unreadable",
      deadLetterErrorDescription: "no JSON",
      deadLetterSource: "orders",
    });
    expect(dead.applicationProperties).toMatchObject({ kept: 1, attempt: 7 });
    await bus.deadLetters.completeMessage(dead);
    expect(await bus.deadLetters.peekMessages(1)).toEqual([]);
  });

  it("can be settled after its receiver was closed", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([{ body: "a" }, { body: "b" }, { body: "c" }]);
    const [a, b, c] = await bus.receiver.receiveMessages(3);
    await bus.receiver.close();
    const other = bus.client.createReceiver("orders");
    if (a) await other.completeMessage(a);
    if (b) await other.abandonMessage(b, { why: "closed" });
    if (c) await other.deadLetterMessage(c, { deadLetterReason: "closed", deadLetterErrorDescription: "" });
    expect(await next(other)).toMatchObject({ body: "b", deliveryCount: 1, applicationProperties: { why: "closed" } });
    expect(await next(bus.deadLetters)).toMatchObject({ body: "c", deadLetterReason: "closed" });
  });
});

describe("a lock", () => {
  it("is lost when it expires: settling says so, and the message comes again", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    const message = await next(bus.receiver);
    bus.clock.advance(minute);
    await expect(bus.receiver.completeMessage(message)).rejects.toMatchObject({ code: "MessageLockLost" });
    const again = await next(bus.receiver);
    expect(again.deliveryCount).toBe(1);
    await bus.receiver.completeMessage(again);
  });

  it("is lost for a receiver that was closed, too", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    const message = await next(bus.receiver);
    await bus.receiver.close();
    bus.clock.advance(minute);
    const settling = bus.client.createReceiver("orders").completeMessage(message);
    await expect(settling).rejects.toMatchObject({ code: "MessageLockLost" });
  });

  it.each([
    { kept: 0, outcomes: ["fulfilled", "rejected"] },
    { kept: 1, outcomes: ["rejected", "fulfilled"] },
  ])("that is lost is distinguished from one settled in the same turn (kept: $kept)", async ({ kept, outcomes }) => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([{ body: 0 }, { body: 1 }]);
    const messages = await bus.receiver.receiveMessages(2);
    bus.clock.advance(minute / 2);
    await Promise.all(messages.filter(({ body }) => body === kept).map((m) => bus.receiver.renewMessageLock(m)));
    bus.clock.advance(minute / 2);
    const settled = await Promise.allSettled(messages.map((message) => bus.receiver.completeMessage(message)));
    expect(settled.map(({ status }) => status)).toEqual(outcomes);
  });

  it("holds longer when it is renewed", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    const message = await next(bus.receiver);
    bus.clock.advance(minute / 2);
    expect(await bus.receiver.renewMessageLock(message)).toEqual(new Date(bus.clock.now() + minute));
    bus.clock.advance(minute - 1);
    await bus.receiver.completeMessage(message);
  });

  it("cannot be renewed once it is lost", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    const message = await next(bus.receiver);
    bus.clock.advance(minute);
    await expect(bus.receiver.renewMessageLock(message)).rejects.toMatchObject({ code: "MessageLockLost" });
  });
});

describe("dead letters", () => {
  it("are the messages that were delivered too often", async () => {
    await using bus = await runningBroker({ maxDeliveryCount: 3 });
    await bus.sender.sendMessages({ body: 1 });
    for (const deliveryCount of [0, 1, 2]) {
      const message = await next(bus.receiver);
      expect(message.deliveryCount).toBe(deliveryCount);
      await bus.receiver.abandonMessage(message);
    }
    expect(await next(bus.deadLetters)).toMatchObject({ body: 1, deadLetterReason: "MaxDeliveryCountExceeded" });
  });

  it("are the messages that expired, where the queue says so", async () => {
    await using bus = await runningBroker({ deadLetterOnExpiration: true });
    await bus.sender.sendMessages({ body: 1, timeToLive: 1_000 });
    bus.clock.advance(1_000);
    expect(await next(bus.deadLetters)).toMatchObject({ body: 1, deadLetterReason: "TTLExpiredException" });
  });

  it("do not take what expired where the queue does not say so", async () => {
    await using bus = await runningBroker({ timeToLiveMs: 1_000 });
    await bus.sender.sendMessages({ body: 1 });
    bus.clock.advance(1_000);
    expect(await remaining(bus)).toEqual([]);
    expect(await bus.deadLetters.peekMessages(1)).toEqual([]);
  });

  it("cannot be dead-lettered again", async () => {
    await using bus = await runningBroker({ maxDeliveryCount: 1 });
    await bus.sender.sendMessages({ body: 1 });
    await bus.receiver.abandonMessage(await next(bus.receiver));
    const again = bus.deadLetters.deadLetterMessage(await next(bus.deadLetters));
    await expect(again).rejects.toMatchObject({ name: "ServiceBusError" });
    await bus.deadLetters.completeMessage(await next(bus.deadLetters));
  });
});
