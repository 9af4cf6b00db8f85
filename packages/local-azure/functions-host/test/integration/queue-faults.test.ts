import { expect, it } from "vitest";
import { newFaults } from "../../../faults/faults.ts";
import type { FaultTarget, FaultInput } from "../../../faults/rule.ts";
import { startBroker } from "../../../service-bus/broker.ts";
import { connect, queues, seenBy, startHostOn } from "./running-queues.ts";

const queue = "notes";
const seconds = 600;

/** A link that ends, a link without responses, and a connection that ends. */
const faults: readonly (readonly [string, FaultInput, FaultTarget])[] = [
  ["forbidden", { kind: "forbidden", seconds }, { queue }],
  ["silent", { kind: "silent", seconds }, { queue }],
  ["away with all others", { kind: "away", seconds }, { queues: "all" }],
];

/** Long enough for the host to notice the fault: to try an attach or two, or to get no responses. */
const FAULT_LASTS_MS = 1_500;

it.each(faults)("a function's messages come again by themselves after its queue was %s", async (_, wish, target) => {
  await using stack = new AsyncDisposableStack();
  const rules = newFaults(Date.now);
  const broker = stack.adopt(await startBroker({ port: 0, queues, faults: rules }), (started) => started.close());
  const host = stack.use(await startHostOn(broker.connectionString));
  const send = async (body: string): Promise<void> => {
    const client = connect(broker);
    try {
      await client.createSender(queue).sendMessages({ body });
    } finally {
      await client.close();
    }
  };
  await send("before");
  await seenBy(host, queue, 1);
  rules.set(target, wish);
  broker.faultsChanged();
  const over = Date.now() + FAULT_LASTS_MS;
  await expect.poll(() => Date.now()).toBeGreaterThan(over);
  rules.clear();
  broker.faultsChanged();
  await send("after");
  const seen = async () => (await seenBy(host, queue, 2)).map(({ message }) => message);
  await expect.poll(seen).toContain("after");
});
