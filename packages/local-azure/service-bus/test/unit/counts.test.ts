import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publisher } from "../../../common/publish.ts";
import { publishCounts } from "../../published-counts.ts";
import type { QueueCounts } from "../../queue.ts";
import { aConsumer, aMessage, aQueue, minute, second } from "./a-queue.ts";

const none = { name: "orders", active: 0, locked: 0, scheduled: 0, deadLettered: 0 };

describe("the counts of a queue", () => {
  it("follow a message from its time to its end", () => {
    const { queue, clock } = aQueue({ lockDurationMs: minute, maxDeliveryCount: 1 });
    queue.send(aMessage({ scheduledFor: clock.now() + 10 * second }));
    expect(queue.counts).toEqual({ ...none, scheduled: 1 });
    clock.advance(10 * second);
    expect(queue.counts).toEqual({ ...none, active: 1 });
    queue.attach(aConsumer(1));
    expect(queue.counts).toEqual({ ...none, locked: 1 });
    clock.advance(minute);
    expect(queue.counts).toEqual({ ...none, deadLettered: 1 });
  });

  it("fall when messages are completed and cancelled", () => {
    const { queue, clock } = aQueue();
    const cancelled = queue.send(aMessage({ id: "later", scheduledFor: clock.now() + minute }));
    queue.send(aMessage());
    const consumer = aConsumer();
    queue.attach(consumer);
    expect(queue.counts).toEqual({ ...none, locked: 1, scheduled: 1 });
    queue.cancelScheduled([cancelled ?? 0]);
    queue.settle(consumer.lastToken(), { type: "complete" });
    expect(queue.counts).toEqual(none);
  });
});

describe("published counts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are all of them when the parent asks, then those that changed, five times a second at most", () => {
    const sent: QueueCounts[][] = [];
    const send = (message: object) => sent.push((message as { item: QueueCounts[] }).item);
    const channel = Object.assign(new EventEmitter(), { connected: true, send });
    const counts = { a: { ...none, name: "a" }, b: { ...none, name: "b" } };
    const count = vi.fn(() => Object.values(counts));
    publishCounts(count, (begin) => publisher("queues", begin, channel));
    vi.advanceTimersByTime(1_000);
    expect(count).not.toHaveBeenCalled();

    channel.emit("message", { publish: true });
    expect(sent.splice(0)).toEqual([[counts.a, counts.b]]);
    vi.advanceTimersByTime(1_000);
    expect(sent).toEqual([]);
    for (let active = 1; active <= 100; active++) {
      counts.b = { ...counts.b, active };
      vi.advanceTimersByTime(10);
    }
    expect(sent.length).toBe(5);
    expect(sent.at(-1)).toEqual([counts.b]);
  });
});
