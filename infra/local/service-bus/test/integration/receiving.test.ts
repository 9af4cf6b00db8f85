import { delay } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import {
  bodies,
  next,
  receivable,
  remaining,
  runningBroker,
  sequenceNumberOf,
  type RunningBroker,
  type SequenceNumber,
} from "./running-broker.ts";

const minute = 60_000;
const patiently = { timeout: 10_000 };

describe("peek-lock", () => {
  it("locks a message for the queue's lock duration under a token of its own", async () => {
    await using bus = await runningBroker({ lockDurationMs: 2 * minute });
    await bus.sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const [one, two] = await bus.receiver.receiveMessages(2);
    expect(one?.lockToken).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(one?.lockToken).not.toBe(two?.lockToken);
    expect(one?.lockedUntilUtc).toEqual(new Date(bus.clock.now() + 2 * minute));
  });

  it("hands a message to no other receiver while it is locked", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    await next(bus.receiver);
    expect(await receivable(bus.client.createReceiver("orders"))).toEqual([]);
  });

  it("returns the available messages when fewer arrive than were requested, and keeps the link", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "first" });
    expect(await receivable(bus.receiver)).toEqual(["first"]);
    expect(await receivable(bus.receiver)).toEqual([]);
    await bus.sender.sendMessages({ body: "second" });
    expect(await receivable(bus.receiver)).toEqual(["second"]);
  });

  it("wakes a receiver that waits", async () => {
    await using bus = await runningBroker();
    const waiting = next(bus.receiver);
    await bus.sender.sendMessages({ body: "at last" });
    expect((await waiting).body).toBe("at last");
  });
});

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

describe("peeking", () => {
  it("shows messages in any state, in order and page by page, and takes none", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages(Array.from({ length: 5 }, (_, body) => ({ body })));
    await next(bus.receiver);
    const peeking = bus.client.createReceiver("orders");
    const firstPage = await peeking.peekMessages(2);
    expect(bodies(firstPage)).toEqual([0, 1]);
    expect(bodies(await peeking.peekMessages(10))).toEqual([2, 3, 4]);
    expect(await peeking.peekMessages(1)).toEqual([]);
    expect(bodies(await peeking.peekMessages(1, { fromSequenceNumber: sequenceNumberOf(firstPage[1]) }))).toEqual([1]);
    expect(bodies(await bus.receiver.receiveMessages(4))).toEqual([1, 2, 3, 4]);
  });
});

describe("receive-and-delete", () => {
  it("takes messages for good", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const receiver = bus.client.createReceiver("orders", { receiveMode: "receiveAndDelete" });
    const received = await receiver.receiveMessages(2);
    expect(bodies(received)).toEqual([1, 2]);
    expect(received[0]?.lockToken).toBeUndefined();
    expect(await remaining(bus)).toEqual([]);
  });

  it("takes deferred messages for good", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "deferred" });
    const sequenceNumber = await deferNext(bus);
    const receiver = bus.client.createReceiver("orders", { receiveMode: "receiveAndDelete" });
    expect(bodies(await receiver.receiveDeferredMessages(sequenceNumber))).toEqual(["deferred"]);
    expect(await remaining(bus)).toEqual([]);
  });
});

describe("a subscription", () => {
  it("completes what its handler returns from and abandons at once what it throws on", async () => {
    await using bus = await runningBroker();
    const seen: [unknown, number | undefined][] = [];
    const errors: string[] = [];
    const subscription = bus.receiver.subscribe(
      {
        processMessage: async ({ body, deliveryCount }) => {
          seen.push([body, deliveryCount]);
          if (body === "fails once" && deliveryCount === 0) throw new Error("first try");
        },
        processError: async ({ error }) => void errors.push(error.message),
      },
      // One at a time: of two decisions in one turn the client sends the first for both.
      { maxConcurrentCalls: 1 },
    );
    await bus.sender.sendMessages([{ body: "fails once" }, { body: "fine" }]);
    await vi.waitFor(async () => {
      expect(seen).toHaveLength(3);
      expect(await remaining(bus)).toEqual([]);
    }, patiently);
    await subscription.close();
    expect(seen).toEqual([
      ["fails once", 0],
      ["fails once", 1],
      ["fine", 0],
    ]);
    expect(errors).toEqual(["first try"]);
  });

  it("gets no further message while as many as it takes at once are at work", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages(Array.from({ length: 5 }, (_, body) => ({ body })));
    let atWork = 0;
    let most = 0;
    let done = 0;
    bus.receiver.subscribe(
      {
        processMessage: async () => {
          most = Math.max(most, ++atWork);
          await delay(1);
          atWork--;
          done++;
        },
        processError: async () => {},
      },
      { maxConcurrentCalls: 2 },
    );
    await vi.waitFor(() => expect(done).toBe(5), patiently);
    expect(most).toBe(2);
  });
});

/** Receives the next message and defers it. */
async function deferNext({ receiver }: RunningBroker): Promise<SequenceNumber> {
  const message = await next(receiver);
  await receiver.deferMessage(message, { why: "not yet" });
  return sequenceNumberOf(message);
}
