import { once } from "node:events";
import { ServiceBusClient, isServiceBusError, type ServiceBusReceiver } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { aDeclaration } from "../unit/a-queue.ts";
import { rawClient } from "./raw-client.ts";
import { next, queueName, remaining, runningBroker, type RunningBroker } from "./running-broker.ts";

const patiently = { timeout: 20_000 };
const otherQueue = "others";
const twoQueues = { queues: [aDeclaration({ name: queueName }), aDeclaration({ name: otherQueue })] };
const all = { queues: "all" } as const;

const inAnHour = (bus: RunningBroker): Date => new Date(bus.clock.now() + 3_600_000);

describe.each([
  ["busy", "ServiceBusy"],
  ["full", "QuotaExceeded"],
  ["forbidden", "UnauthorizedAccess"],
] as const)("a queue that is %s", (kind, code) => {
  it(`takes nothing that is sent or scheduled, and says ${code}`, async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: "before" });
    bus.show({ kind });
    expect(await codesOf(bus.sender.sendMessages({ body: "refused" }))).toContain(code); // an attempt may fail because the link ends
    expect(await codesOf(bus.sender.scheduleMessages({ body: "refused" }, inAnHour(bus)))).toEqual([code]);
    bus.recover();
    await bus.sender.sendMessages({ body: "after" });
    expect(await remaining(bus)).toEqual(["before", "after"]);
  });
});

describe("a queue that is busy", () => {
  it("lets no receiver in, and goes on with those that it has", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const message = await next(bus.receiver);
    bus.show({ kind: "busy" });
    expect(await codesOf(bus.client.createReceiver(queueName).receiveMessages(1))).toEqual(["ServerBusyError"]);
    await bus.receiver.completeMessage(message);
    expect((await next(bus.receiver)).body).toBe(2);
  });
});

describe("a queue that is full", () => {
  it("still gives what it has, also to new receivers", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    bus.show({ kind: "full" });
    await bus.receiver.completeMessage(await next(bus.receiver));
    expect(await remaining(bus)).toEqual([]);
  });
});

describe("a queue that is forbidden", () => {
  it("lets no receiver in and ends those that it has", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1 });
    const seen = subscribed(bus.receiver);
    await vi.waitFor(() => expect(seen.bodies).toEqual([1]), patiently);
    bus.show({ kind: "forbidden" });
    await vi.waitFor(() => expect(seen.codes).toContain("UnauthorizedAccess"), patiently);
    expect(await codesOf(bus.client.createReceiver(queueName).receiveMessages(1))).toEqual(["UnauthorizedError"]);
  });
});

describe("a queue that is silent", () => {
  it("sends no response, and carries out all requests in the end", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages([{ body: "settled late" }, { body: "given late" }]);
    const message = await next(bus.receiver);
    bus.show({ kind: "silent" });
    const settled = bus.receiver.completeMessage(message);
    const given = next(bus.client.createReceiver(queueName));
    const lonely = new ServiceBusClient(bus.broker.connectionString, {
      retryOptions: { maxRetries: 0, timeoutInMs: 1_000 },
    });
    expect(await codesOf(lonely.createSender(queueName).sendMessages({ body: "unknown" }))).toEqual(["ServiceTimeout"]);
    bus.recover();
    await lonely.close();
    await settled;
    expect((await given).body).toBe("given late");
  });

  it("holds a message twice whose sender never heard of the first and sent it again", async () => {
    await using bus = await runningBroker();
    const client = new ServiceBusClient(bus.broker.connectionString, {
      retryOptions: { maxRetries: 0, timeoutInMs: 1_000 },
    });
    const sender = client.createSender(queueName);
    await sender.sendMessages({ body: "before" });
    bus.show({ kind: "silent" });
    expect(await codesOf(sender.sendMessages({ body: "sent again" }))).toEqual(["ServiceTimeout"]);
    bus.recover();
    await vi.waitFor(() => sender.sendMessages({ body: "sent again" }), patiently);
    await client.close();
    const [first, ...more] = await remaining(bus);
    expect([first, new Set(more)]).toEqual(["before", new Set(["sent again"])]);
    expect(more.length).toBeGreaterThan(1);
  });
});

describe("a queue that is slow", () => {
  it("answers, gives and settles only after its time, in order", async () => {
    await using bus = await runningBroker({}, twoQueues);
    await bus.sender.sendMessages({ body: 1 });
    const other = bus.client.createSender(otherQueue);
    await other.sendMessages({ body: "links are open" });
    bus.show({ kind: "slow", milliseconds: 5_000 });
    let answers = 0;
    const sent = [2, 3].map((body) => bus.sender.sendMessages({ body }).then(() => answers++));
    await other.sendMessages({ body: "what was sent before has been read" });
    expect(answers).toBe(0);
    await vi.waitFor(() => {
      bus.clock.advance(5_000);
      expect(answers).toBe(2);
    }, patiently);
    await Promise.all(sent);
    const received: unknown[] = [];
    const stop = bus.receiver.subscribe({
      processMessage: async (message) => void received.push(message.body),
      processError: async () => {},
    });
    await vi.waitFor(() => {
      bus.clock.advance(5_000);
      expect(received).toEqual([1, 2, 3]);
    }, patiently);
    await stop.close();
  });
});

describe("a receiver that drains a slow queue", () => {
  it("is given what is on its way before it hears that this is all", async () => {
    await using bus = await runningBroker({}, twoQueues);
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const { link, messages } = client.receive(queueName, { credit: 0 });
    await once(link, "receiver_open");
    bus.show({ kind: "slow", milliseconds: 5_000 });
    let isDrained = false;
    link.once("receiver_drained", () => (isDrained = true));
    link.add_credit(5);
    link.drain_credit();
    await client.send(otherQueue, { body: "the drain has been read" });
    expect([isDrained, messages.length]).toEqual([false, 0]);
    bus.clock.advance(5_000);
    await vi.waitFor(() => expect(isDrained).toBe(true), patiently);
    expect(messages).toHaveLength(2);
  });
});

describe("a queue that is away", () => {
  it("ends its links and lets none in, while another goes on", async () => {
    await using bus = await runningBroker({}, twoQueues);
    const seen = subscribed(bus.receiver);
    await bus.sender.sendMessages({ body: "before" });
    await vi.waitFor(() => expect(seen.bodies).toEqual(["before"]), patiently);
    bus.show({ kind: "away" });
    await expect(bus.sender.sendMessages({ body: "refused" })).rejects.toThrow();
    const other = bus.client.createSender(otherQueue);
    await other.sendMessages({ body: "taken" });
    bus.recover();
    await bus.sender.sendMessages({ body: "after" });
    await vi.waitFor(() => expect(seen.bodies).toEqual(["before", "after"]), patiently);
  });

  it("and every other with it takes the connections along, and refuses new ones", async () => {
    await using bus = await runningBroker();
    const seen = subscribed(bus.receiver);
    await bus.sender.sendMessages({ body: "before" });
    await vi.waitFor(() => expect(seen.bodies).toEqual(["before"]), patiently);
    bus.show({ kind: "away" }, all);
    await expect(bus.sender.sendMessages({ body: "refused" })).rejects.toThrow();
    bus.recover();
    await bus.sender.sendMessages({ body: "after" });
    await vi.waitFor(() => expect(seen.bodies).toEqual(["before", "after"]), patiently);
  });
});

/** The codes of all thrown errors, or the text of an error without a code. After several attempts, the client throws all their errors. */
async function codesOf(work: Promise<unknown>): Promise<unknown[]> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const thrown = error instanceof AggregateError ? error.errors : [error];
  return [...new Set(thrown.map((one: unknown) => (one as { code?: string } | undefined)?.code ?? String(one)))];
}

/** The messages and errors that a subscription has received so far. */
function subscribed(receiver: ServiceBusReceiver): { readonly bodies: unknown[]; readonly codes: string[] } {
  const seen = { bodies: [] as unknown[], codes: [] as string[] };
  receiver.subscribe({
    processMessage: async ({ body }) => void seen.bodies.push(body),
    processError: async ({ error }) => void seen.codes.push(isServiceBusError(error) ? error.code : error.message),
  });
  return seen;
}
