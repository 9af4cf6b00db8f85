import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { newFaults } from "../../packages/local-azure/faults/faults.ts";
import type { FaultTarget, FaultInput } from "../../packages/local-azure/faults/rule.ts";
import { readQueues, startBroker } from "../../packages/local-azure/service-bus/broker.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { queueSender } from "../../shared/adapters/queues/queue-sender.ts";
import { replacedBus } from "../../shared/adapters/queues/replaced-bus.ts";
import {
  connect,
  queues as ofFixture,
  seenBy,
  startHostOn,
} from "../../packages/local-azure/functions-host/test/integration/running-queues.ts";
import { startTcpProxy } from "../support/fault-proxy.ts";

const patiently = { timeout: 20_000 };
const queue = "deadlines";
const queues = await readQueues(join(import.meta.dirname, "../../infra/azure/service-bus/queues.json"));
const seconds = 600;

const faults: readonly (readonly [string, FaultInput, FaultTarget])[] = [
  ["busy", { kind: "busy", seconds }, { queue }],
  ["full", { kind: "full", seconds }, { queue }],
  ["forbidden", { kind: "forbidden", seconds }, { queue }],
  ["silent", { kind: "silent", seconds }, { queue }],
  ["away", { kind: "away", seconds }, { queue }],
  ["away with all others", { kind: "away", seconds }, { queues: "all" }],
];

const subject = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
const body = (commandId: string) => ({ v: 1, subject, commandId, effect: "orderUpdate" }) as const;
const productsOptions = { retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 } };

describe.each(faults)("while its queue is %s", (_, wish, target) => {
  it("the product's sender throws Unavailable, and later sends again", async () => {
    await using stack = new AsyncDisposableStack();
    const rules = newFaults(Date.now);
    const complaints: unknown[] = [];
    stack.defer(() => expect(complaints).toEqual([]));
    const onFault = (fault: unknown) => complaints.push(fault);
    const options = { port: 0, queues, faults: rules, onFault };
    const broker = stack.adopt(await startBroker(options), (started) => started.close());
    const client = stack.adopt(new ServiceBusClient(broker.connectionString, productsOptions), (opened) =>
      opened.close(),
    );
    const { send } = queueSender({ client: () => client, sent: () => {} });
    await send(queue, body("before"));
    rules.set(target, wish);
    broker.faultsChanged();
    await expect(send(queue, body("meanwhile"))).rejects.toBeInstanceOf(Unavailable);
    rules.clear();
    broker.faultsChanged();
    await vi.waitFor(() => send(queue, body("after")), patiently);
    const receiver = client.createReceiver(queue, { receiveMode: "receiveAndDelete" });
    const commands = new Set<unknown>();
    await vi.waitFor(async () => {
      for (const message of await receiver.receiveMessages(10, { maxWaitTimeInMs: 500 })) {
        commands.add((message.body as { commandId: string }).commandId);
      }
      expect([...commands]).toEqual(expect.arrayContaining(["before", "after"]));
    }, patiently);
  });
});

describe("a connection that carries nothing any more, without an end", () => {
  async function behindProxy(declared: typeof queues) {
    const broker = await startBroker({ port: 0, queues: declared });
    const proxy = await startTcpProxy({ targetPort: broker.port });
    const connectionString = broker.connectionString.replace(`:${broker.port}`, `:${proxy.port}`);
    return {
      broker,
      proxy,
      connectionString,
      async [Symbol.asyncDispose]() {
        await proxy.close();
        await broker.close();
      },
    };
  }

  it("costs the product the sends that are under way, and none later", async () => {
    await using stack = new AsyncDisposableStack();
    const { proxy, connectionString } = stack.use(await behindProxy(queues));
    const made: ServiceBusClient[] = [];
    stack.defer(() => proxy.cut()); // so that the clients' closes end
    const connect = () =>
      made[made.push(new ServiceBusClient(connectionString, productsOptions)) - 1] as ServiceBusClient;
    const bus = replacedBus(connect, () => performance.now());
    stack.defer(() => void bus.client().close());
    const { send } = queueSender(bus);
    await send(queue, body("before"));
    proxy.lose();
    const failed = await Promise.allSettled(["1", "2", "3"].map((id) => send(queue, body(id))));
    expect(failed.map((one) => (one.status === "rejected" ? (one.reason as unknown) : "sent"))).toEqual([
      expect.any(Unavailable),
      expect.any(Unavailable),
      expect.any(Unavailable),
    ]);
    await send(queue, body("after"));
    expect(made).toHaveLength(2);
  });

  it("is replaced by the host, which then gets its messages", { timeout: 60_000 }, async () => {
    await using stack = new AsyncDisposableStack();
    const { broker, proxy, connectionString } = stack.use(await behindProxy(ofFixture));
    const host = stack.use(await startHostOn(connectionString));
    const client = stack.adopt(connect(broker), (opened) => opened.close());
    const sender = client.createSender("notes");
    await sender.sendMessages({ body: "before" });
    await seenBy(host, "notes", 1);
    proxy.lose();
    const warned = () => host.log.some((line) => line.startsWith('warning notes queue "notes": no connection'));
    await expect.poll(warned, patiently).toBe(true);
    await sender.sendMessages({ body: "after" });
    expect((await seenBy(host, "notes", 2)).map(({ message }) => message)).toContain("after");
  });
});
