import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { startBroker } from "../../broker.ts";
import { aDeclaration } from "../unit/a-queue.ts";
import { rawClient } from "./raw-client.ts";
import { next, queueName, remaining, runningBroker } from "./running-broker.ts";

const patiently = { timeout: 15_000 };

describe("many messages", () => {
  it("pass through a link's window of 2,048 unsettled deliveries", async () => {
    await using bus = await runningBroker();
    const count = 3_000;
    for (let sent = 0; sent < count; sent += 500) {
      await bus.sender.sendMessages(Array.from({ length: 500 }, (_, i) => ({ body: sent + i })));
    }
    const seen = new Set<number>();
    bus.receiver.subscribe(
      { processMessage: async ({ body }) => void seen.add(body as number), processError: async () => {} },
      { maxConcurrentCalls: 100 },
    );
    await vi.waitFor(() => expect(seen.size).toBe(count), patiently);
    await vi.waitFor(async () => expect(await remaining(bus)).toEqual([]), patiently);
  });

  it("wait when a receiver settles none of them, and go on when it does", async () => {
    await using bus = await runningBroker();
    const window = 2_048;
    for (let sent = 0; sent < window + 52; sent += 525) {
      await bus.sender.sendMessages(Array.from({ length: 525 }, (_, i) => ({ body: sent + i })));
    }
    await using client = await rawClient(bus.broker.port);
    const receiver = client.receive(queueName, { credit: 3_000 });
    await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(window), patiently);
    for (const delivery of receiver.deliveries) delivery.accept();
    await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(window + 52), patiently);
  });
});

describe("a connection that is cut without a word", () => {
  it("takes its consumers with it, so that they swallow no messages", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    client.receive(queueName, { credit: 100 });
    await bus.sender.sendMessages({ body: "before" });
    await vi.waitFor(() => expect(client.received()).toEqual(["before"]), patiently);
    await client.cut();
    await bus.receiver.peekMessages(1); // a response means that the broker has also noticed the cut
    await bus.sender.sendMessages({ body: "after" });
    expect((await next(bus.receiver)).body).toBe("after");
  });

  it("leaves what it had locked to the lock's expiry", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    client.receive(queueName, { credit: 1 });
    await bus.sender.sendMessages({ body: "locked" });
    await vi.waitFor(() => expect(client.received()).toEqual(["locked"]), patiently);
    await client.cut();
    bus.clock.advance(60_000);
    expect(await next(bus.receiver)).toMatchObject({ body: "locked", deliveryCount: 1 });
  });
});

describe("a broker that comes back on the same port", () => {
  it("has its clients back, senders and subscriptions alike", async () => {
    const queues = [aDeclaration({ name: queueName })];
    await using stack = new AsyncDisposableStack();
    const first = stack.adopt(await startBroker({ port: 0, queues }), (broker) => broker.close());
    // A send on a dying connection waits for its time-out, and is retried only then.
    const retryOptions = { retryDelayInMs: 100, maxRetryDelayInMs: 500, timeoutInMs: 2_000 };
    const client = stack.adopt(new ServiceBusClient(first.connectionString, { retryOptions }), (opened) =>
      opened.close(),
    );
    const seen: unknown[] = [];
    client.createReceiver(queueName).subscribe({
      processMessage: async ({ body }) => void seen.push(body),
      processError: async () => {},
    });
    const sender = client.createSender(queueName);
    await sender.sendMessages({ body: "before" });
    await vi.waitFor(() => expect(seen).toEqual(["before"]), patiently);

    await first.close();
    stack.adopt(await startBroker({ port: first.port, queues }), (broker) => broker.close());
    await sender.sendMessages({ body: "after" });
    await vi.waitFor(() => expect(seen).toEqual(["before", "after"]), patiently);
  });
});

it("refuses a port that is taken with a sentence that names it", async () => {
  await using bus = await runningBroker();
  const { port } = bus.broker;
  await expect(startBroker({ port, queues: [] })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
});
