import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { newFaults } from "../../infra/emulators/faults/faults.ts";
import type { FaultTarget, FaultInput } from "../../infra/emulators/faults/rule.ts";
import { readQueues, startBroker } from "../../infra/emulators/service-bus/broker.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { queueSender } from "../../shared/queues/queue-sender.ts";

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

describe.each(faults)("while its queue is %s", (_, wish, target) => {
  it("the product's sender throws Unavailable, and later sends again", async () => {
    await using stack = new AsyncDisposableStack();
    const rules = newFaults(Date.now);
    const complaints: unknown[] = [];
    stack.defer(() => expect(complaints).toEqual([]));
    const onFault = (fault: unknown) => complaints.push(fault);
    const options = { port: 0, queues, faults: rules, onFault };
    const broker = stack.adopt(await startBroker(options), (started) => started.close());
    const client = stack.adopt(
      new ServiceBusClient(broker.connectionString, {
        retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 }, // the product's own options
      }),
      (opened) => opened.close(),
    );
    const { send } = queueSender(client);
    const subject = { kind: "payment", partnerId: "p", sessionId: "s" } as const;
    const body = (commandId: string) => ({ v: 1, subject, commandId, effect: "orderUpdate" }) as const;
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
