import { describe, expect, it } from "vitest";
import type { Outcome } from "../../message.ts";
import { aConsumer, aMessage, aQueue, minute, second } from "./a-queue.ts";

const abandon: Outcome = { type: "abandon", properties: new Map() };
const defer: Outcome = { type: "defer", properties: new Map() };
const complete: Outcome = { type: "complete" };

describe("delivery", () => {
  it("hands messages over in the order in which they came, as far as credit goes", () => {
    const { queue } = aQueue();
    for (const id of ["a", "b", "c"]) queue.send(aMessage({ id }));
    const consumer = aConsumer(2);
    queue.attach(consumer);
    expect(consumer.ids()).toEqual(["a", "b"]);
    expect(queue.length).toBe(3);
  });

  it("shares messages among consumers in turn", () => {
    const { queue } = aQueue();
    const [one, two] = [aConsumer(), aConsumer()];
    queue.attach(one);
    queue.attach(two);
    for (const id of ["a", "b", "c", "d"]) queue.send(aMessage({ id }));
    expect([one.taken.length, two.taken.length]).toEqual([2, 2]);
  });

  it("puts an abandoned message back in its old place, with one more delivery counted", () => {
    const { queue } = aQueue();
    for (const id of ["a", "b"]) queue.send(aMessage({ id }));
    const first = aConsumer(1);
    queue.attach(first);
    expect(first.taken[0]?.deliveryCount).toBe(0);
    queue.settle(first.lastToken(), abandon);
    const second = aConsumer();
    queue.attach(second);
    expect(second.ids()).toEqual(["a", "b"]);
    expect(second.taken[0]?.deliveryCount).toBe(1);
  });

  it("removes a message at once on receive-and-delete", () => {
    const { queue } = aQueue();
    queue.send(aMessage());
    const consumer = aConsumer(1, { deletesOnReceipt: true });
    queue.attach(consumer);
    expect(consumer.ids()).toEqual(["m-1"]);
    expect(queue.length).toBe(0);
  });

  it("gives a detached consumer nothing more and keeps what it had locked", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage({ id: "before" }));
    queue.detach(consumer);
    queue.send(aMessage({ id: "after" }));
    const next = aConsumer();
    queue.attach(next);
    expect(consumer.ids()).toEqual(["before"]);
    expect(next.ids()).toEqual(["after"]);
    queue.settle(next.lastToken(), complete);
    clock.advance(minute);
    expect(next.ids()).toEqual(["after", "before"]);
  });
});

describe("locks", () => {
  it("delivers a message again, and counts it, once its lock has expired", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    const expired = consumer.lastToken();
    clock.advance(minute - 1);
    expect(consumer.taken).toHaveLength(1);
    clock.advance(1);
    expect(consumer.taken).toHaveLength(2);
    expect(consumer.taken[1]?.deliveryCount).toBe(1);
    expect(queue.settle(expired, complete)).toBe("lost");
    expect(queue.settle(consumer.lastToken(), complete)).toBe("settled");
    expect(queue.length).toBe(0);
  });

  it("holds a renewed lock for a full lock duration from the renewal", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    clock.advance(40 * second);
    expect(queue.renewLock(consumer.lastToken())).toBe(clock.now() + minute);
    clock.advance(minute - 1);
    expect(consumer.taken).toHaveLength(1);
    expect(queue.settle(consumer.lastToken(), complete)).toBe("settled");
  });

  it("does not renew a lock that has expired", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer(1);
    queue.attach(consumer);
    queue.send(aMessage());
    clock.advance(minute);
    expect(queue.renewLock(consumer.lastToken())).toBeUndefined();
  });

  it("keeps one alarm for any number of messages", () => {
    const { queue, clock } = aQueue({ timeToLiveMs: 10 * minute });
    queue.attach(aConsumer());
    for (let i = 0; i < 1000; i++) queue.send(aMessage({ id: `m-${i}` }));
    expect(clock.pendingAlarms()).toBe(1);
  });
});

describe("scheduled messages", () => {
  it("become active at their time, under a new sequence number", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    const scheduled = queue.send(aMessage({ scheduledFor: clock.now() + minute }));
    expect(queue.peek(0, 1)[0]?.state).toBe("scheduled");
    clock.advance(minute - 1);
    expect(consumer.taken).toHaveLength(0);
    clock.advance(1);
    expect(consumer.taken[0]).toMatchObject({ state: "active", enqueuedSequenceNumber: scheduled });
    expect(consumer.taken[0]?.sequenceNumber).not.toBe(scheduled);
  });

  it("become active in the order of sending where their time is the same", () => {
    const { queue, clock } = aQueue();
    const ids = Array.from({ length: 20 }, (_, i) => `m-${i}`);
    for (const id of ids) queue.send(aMessage({ id, scheduledFor: clock.now() + minute }));
    const consumer = aConsumer();
    queue.attach(consumer);
    clock.advance(minute);
    expect(consumer.ids()).toEqual(ids);
  });

  it("never come once they are cancelled", () => {
    const { queue, clock } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    const sequenceNumber = queue.send(aMessage({ scheduledFor: clock.now() + minute })) ?? 0;
    expect(queue.cancelScheduled([sequenceNumber])).toBe(true);
    clock.advance(minute);
    expect(consumer.taken).toHaveLength(0);
    expect(queue.cancelScheduled([sequenceNumber])).toBe(false);
  });

  it("are active at once where their time has passed", () => {
    const { queue, clock } = aQueue();
    queue.send(aMessage({ scheduledFor: clock.now() - 1 }));
    expect(queue.peek(0, 1)[0]?.state).toBe("active");
  });
});

describe("deferred messages", () => {
  it("are received by their sequence number alone, with the deferral counted", () => {
    const { queue } = aQueue();
    const consumer = aConsumer(1);
    queue.attach(consumer);
    const sequenceNumber = queue.send(aMessage()) ?? 0;
    queue.settle(consumer.lastToken(), defer);
    const other = aConsumer();
    queue.attach(other);
    expect(other.taken).toHaveLength(0);

    const [entry] = queue.receiveDeferred([sequenceNumber], false) ?? [];
    expect(entry?.deliveryCount).toBe(1);
    expect(queue.receiveDeferred([sequenceNumber], false)).toBeUndefined(); // locked
    expect(queue.settle(entry?.lock?.token ?? "", complete)).toBe("settled");
    expect(queue.length).toBe(0);
  });

  it("stay deferred when they are abandoned", () => {
    const { queue } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    const sequenceNumber = queue.send(aMessage()) ?? 0;
    queue.settle(consumer.lastToken(), defer);
    const [entry] = queue.receiveDeferred([sequenceNumber], false) ?? [];
    queue.settle(entry?.lock?.token ?? "", abandon);
    expect(consumer.taken).toHaveLength(1);
    expect(queue.receiveDeferred([sequenceNumber], true)).toHaveLength(1);
    expect(queue.length).toBe(0);
  });

  it("are not taken at all where one of those named is missing", () => {
    const { queue } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    const sequenceNumber = queue.send(aMessage()) ?? 0;
    queue.settle(consumer.lastToken(), defer);
    expect(queue.receiveDeferred([sequenceNumber, 99], false)).toBeUndefined();
    expect(queue.receiveDeferred([sequenceNumber], false)).toHaveLength(1);
  });
});

describe("dead letters", () => {
  it("are messages that failed as often as the queue allows", () => {
    const { queue, deadLetters } = aQueue({ maxDeliveryCount: 3 });
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    for (let delivery = 0; delivery < 3; delivery++) queue.settle(consumer.lastToken(), abandon);
    expect(consumer.taken.map(({ message }) => message.id)).toEqual(["m-1", "m-1", "m-1"]);
    const [dead] = deadLetters.peek(0, 1);
    expect(dead).toMatchObject({ deliveryCount: 3, deadLetterSource: "orders" });
    expect(dead?.properties.get("DeadLetterReason")).toBe("MaxDeliveryCountExceeded");
    expect(queue.length).toBe(0);
  });

  it("keep the reason that a receiver gave, and the properties that it set", () => {
    const { queue, deadLetters } = aQueue();
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    const properties = new Map([["attempt", "7"]]);
    queue.settle(consumer.lastToken(), {
      type: "deadLetter",
      reason: "Unreadable",
      description: "no JSON",
      properties,
    });
    expect(Object.fromEntries(deadLetters.peek(0, 1)[0]?.properties ?? [])).toEqual({
      DeadLetterReason: "Unreadable",
      DeadLetterErrorDescription: "no JSON",
      attempt: "7",
    });
  });

  it("cannot be dead-lettered again; they are given back", () => {
    const { queue, deadLetters } = aQueue({ maxDeliveryCount: 1 });
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    queue.settle(consumer.lastToken(), abandon);
    const operator = aConsumer();
    deadLetters.attach(operator);
    const outcome = { type: "deadLetter", reason: undefined, description: undefined, properties: new Map() } as const;
    expect(deadLetters.settle(operator.lastToken(), outcome)).toBe("refused");
    expect(operator.ids()).toEqual(["m-1", "m-1"]);
  });

  it("are delivered as often as it takes, without counting", () => {
    const { queue, deadLetters } = aQueue({ maxDeliveryCount: 1 });
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    queue.settle(consumer.lastToken(), abandon);
    const operator = aConsumer(5);
    deadLetters.attach(operator);
    while (operator.credit() > 0) deadLetters.settle(operator.lastToken(), abandon);
    expect(operator.taken.map(({ deliveryCount }) => deliveryCount)).toEqual([1, 1, 1, 1, 1]);
  });
});

describe("time to live", () => {
  it.each([
    { whose: "the message's", timeToLiveMs: second, queueTimeToLiveMs: minute },
    { whose: "the queue's", timeToLiveMs: minute, queueTimeToLiveMs: second },
  ])("ends by the shorter of the two: $whose", ({ timeToLiveMs, queueTimeToLiveMs }) => {
    const { queue, clock } = aQueue({ timeToLiveMs: queueTimeToLiveMs });
    queue.send(aMessage({ timeToLiveMs }));
    clock.advance(second - 1);
    expect(queue.length).toBe(1);
    clock.advance(1);
    expect(queue.length).toBe(0);
  });

  it("dead-letters what expires where the queue says so", () => {
    const { queue, deadLetters, clock } = aQueue({ timeToLiveMs: second, deadLetterOnExpiration: true });
    queue.send(aMessage());
    clock.advance(second);
    expect(deadLetters.peek(0, 1)[0]?.properties.get("DeadLetterReason")).toBe("TTLExpiredException");
    clock.advance(365 * 24 * 60 * minute);
    expect(deadLetters.length).toBe(1);
  });

  it("lets a message that is locked be completed after its time", () => {
    const { queue, clock } = aQueue({ timeToLiveMs: second });
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    clock.advance(2 * second);
    expect(queue.settle(consumer.lastToken(), complete)).toBe("settled");
  });

  it("ends for a locked message when it is given back", () => {
    const { queue, deadLetters, clock } = aQueue({ timeToLiveMs: second, deadLetterOnExpiration: true });
    const consumer = aConsumer();
    queue.attach(consumer);
    queue.send(aMessage());
    clock.advance(2 * second);
    queue.settle(consumer.lastToken(), abandon);
    expect(consumer.taken).toHaveLength(1);
    expect(deadLetters.length).toBe(1);
  });

  it("counts for a scheduled message from its activation", () => {
    const { queue, clock } = aQueue({ timeToLiveMs: minute });
    queue.send(aMessage({ scheduledFor: clock.now() + 5 * minute }));
    clock.advance(6 * minute - 1);
    expect(queue.length).toBe(1);
    clock.advance(1);
    expect(queue.length).toBe(0);
  });
});

describe("duplicate detection", () => {
  it("drops an id that came before, within the window", () => {
    const { queue, clock } = aQueue({ duplicateWindowMs: minute });
    expect(queue.send(aMessage({ id: "a" }))).toBe(1);
    clock.advance(minute - 1);
    expect(queue.send(aMessage({ id: "a" }))).toBeUndefined();
    clock.advance(1);
    expect(queue.send(aMessage({ id: "a" }))).toBe(2);
  });

  it("is off unless the queue declares it", () => {
    const { queue } = aQueue();
    queue.send(aMessage({ id: "a" }));
    queue.send(aMessage({ id: "a" }));
    expect(queue.length).toBe(2);
  });
});

describe("sessions", () => {
  const aSessionQueue = () => aQueue({ requiresSession: true });

  it("go to one holder at a time, with their messages in order", () => {
    const { queue } = aSessionQueue();
    for (const id of ["a1", "a2"]) queue.send(aMessage({ id, sessionId: "A" }));
    queue.send(aMessage({ id: "b1", sessionId: "B" }));
    const holder = aConsumer(Infinity, { sessionId: "A" });
    queue.sessions.hold("A", holder);
    queue.attach(holder);
    expect(holder.ids()).toEqual(["a1", "a2"]);
    expect(queue.sessions.isLocked("A")).toBe(true);
    expect(queue.sessions.isLocked("B")).toBe(false);
  });

  it("are offered to a consumer that waits for any session as soon as they have a message", () => {
    const { queue } = aSessionQueue();
    const offered: string[] = [];
    queue.sessions.request(undefined, (id) => offered.push(id) > 0);
    expect(offered).toEqual([]);
    queue.send(aMessage({ sessionId: "A" }));
    expect(offered).toEqual(["A"]);
  });

  it("are not offered to a consumer that has stopped waiting", () => {
    const { queue } = aSessionQueue();
    const offered: string[] = [];
    const stopWaiting = queue.sessions.request("A", () => false);
    stopWaiting();
    queue.sessions.request("A", (id) => offered.push(id) > 0);
    queue.send(aMessage({ sessionId: "A" }));
    expect(offered).toEqual(["A"]);
  });

  it("give their messages back uncounted when the holder leaves", () => {
    const { queue } = aSessionQueue();
    queue.send(aMessage({ sessionId: "A" }));
    const holder = aConsumer(1, { sessionId: "A" });
    queue.sessions.hold("A", holder);
    queue.attach(holder);
    queue.detach(holder);
    expect(queue.settle(holder.lastToken(), complete)).toBe("lost");
    const next = aConsumer(1, { sessionId: "A" });
    queue.sessions.hold("A", next);
    queue.attach(next);
    expect(next.taken[0]?.deliveryCount).toBe(0);
  });

  it("are lost when their lock expires, and that counts as a delivery", () => {
    const { queue, clock } = aSessionQueue();
    queue.send(aMessage({ sessionId: "A" }));
    const holder = aConsumer(1, { sessionId: "A" });
    queue.sessions.hold("A", holder);
    queue.attach(holder);
    clock.advance(30 * second);
    expect(queue.sessions.renew("A")).toBe(clock.now() + minute);
    clock.advance(minute);
    expect(holder.lostSession).toBe(true);
    expect(queue.sessions.renew("A")).toBeUndefined();
    const next = aConsumer(1, { sessionId: "A" });
    queue.sessions.hold("A", next);
    queue.attach(next);
    expect(next.taken[0]?.deliveryCount).toBe(1);
  });

  it("remember their state", () => {
    const { queue } = aSessionQueue();
    queue.sessions.setState("A", Buffer.from("step 2"));
    expect(queue.sessions.state("A")?.toString()).toBe("step 2");
    expect(queue.sessions.state("B")).toBeUndefined();
  });
});
