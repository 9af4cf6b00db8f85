import { delay } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { bodies, deferNext, next, receivable, remaining, runningBroker, sequenceNumberOf } from "./running-broker.ts";

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
      // One at a time, because the client sends the first of two decisions in one turn for both.
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
