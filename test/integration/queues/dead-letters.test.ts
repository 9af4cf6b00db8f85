import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it } from "vitest";
import { deadLetterQueues } from "../../../infra/operator/common/dead-letter-queues.ts";
import { newFaults } from "../../../packages/local-azure/faults/faults.ts";
import type { FaultInput } from "../../../packages/local-azure/faults/rule.ts";
import { readQueues, startBroker } from "../../../packages/local-azure/service-bus/broker.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";

const queue = "deadlines";
const queues = await readQueues(join(import.meta.dirname, "../../../infra/azure/service-bus/queues.json"));
const seconds = 600;

/** A broker whose queue has dead-lettered these bodies, each with its own property, and the operator's tool for it. */
async function buried(stack: AsyncDisposableStack, bodies: readonly Buffer[]) {
  const rules = newFaults(Date.now);
  const broker = stack.adopt(await startBroker({ port: 0, queues, faults: rules }), (started) => started.close());
  const client = stack.adopt(new ServiceBusClient(broker.connectionString), (opened) => opened.close());
  const sender = client.createSender(queue);
  const receiver = client.createReceiver(queue, { skipParsingBodyAsJson: true });
  for (const [index, body] of bodies.entries()) {
    const applicationProperties = { index, unreadSince: "2026-01-01T00:00:00.000Z" };
    await sender.sendMessages({
      body,
      applicationProperties,
      contentType: "application/json",
      messageId: `m-${index}`,
    });
    const [message] = await receiver.receiveMessages(1);
    if (!message) throw new Error("the message did not come");
    await receiver.deadLetterMessage(message, {
      deadLetterReason: "Unreadable",
      deadLetterErrorDescription: `no reader for ${index}`,
    });
  }
  return {
    letters: deadLetterQueues(() => new ServiceBusClient(broker.connectionString)),
    /** The next message of the queue itself. */
    async next() {
      const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 5_000 });
      return message;
    },
    show(input: FaultInput) {
      rules.set({ queue }, input);
      broker.faultsChanged();
    },
    recover() {
      rules.clear();
      broker.faultsChanged();
    },
  };
}

const json = Buffer.from('{ "v":7,\n"odd":  "spaces" }');
const noJson = Buffer.from([0, 1, 2, 255]);

describe("dead letters", () => {
  it("are listed in order, with why they were dead-lettered, and stay", async () => {
    await using stack = new AsyncDisposableStack();
    const { letters } = await buried(stack, [json, noJson, json]);
    expect(await letters.list(queue, 2)).toMatchObject([
      { sequenceNumber: "1", reason: "Unreadable", description: "no reader for 0", properties: { index: 0 } },
      { sequenceNumber: "2", contentType: "application/json", body: noJson },
    ]);
    expect(await letters.list(queue, 10)).toHaveLength(3);
    expect(await letters.list("mails", 10)).toEqual([]);
  });

  it.each([
    ["JSON with its own spaces", [json, noJson, json], "1", json],
    ["bytes that are no text, behind another", [json, noJson, json], "2", noJson],
  ])("are sent again byte for byte, and only the named one: %s", async (_, bodies, number, body) => {
    await using stack = new AsyncDisposableStack();
    const { letters, next } = await buried(stack, bodies);
    expect(await letters.sendAgain(queue, [number])).toEqual([number]);
    const again = await next();
    expect(again?.body).toEqual(body);
    expect(again?.contentType).toBe("application/json");
    expect(again?.messageId).not.toBe(`m-${Number(number) - 1}`); // the queue would drop a copy with the old identifier
    expect(again?.applicationProperties).toEqual({
      index: Number(number) - 1,
      unreadSince: "2026-01-01T00:00:00.000Z",
    });
    const left = await letters.list(queue, 10);
    expect(left.map(({ sequenceNumber }) => sequenceNumber)).not.toContain(number);
    expect(left).toHaveLength(2);
  });

  it("stay if the queue accepts no copy, and can be sent again later", async () => {
    await using stack = new AsyncDisposableStack();
    const { letters, next, show, recover } = await buried(stack, [json]);
    show({ kind: "full", seconds });
    await expect(letters.sendAgain(queue, ["1"])).rejects.toBeInstanceOf(Error);
    recover();
    expect(await letters.list(queue, 10)).toHaveLength(1);
    expect(await letters.sendAgain(queue, ["1"])).toEqual(["1"]);
    expect((await next())?.body).toEqual(json);
  });

  it("are removed without a copy, but only the named ones", async () => {
    await using stack = new AsyncDisposableStack();
    const { letters } = await buried(stack, [json, json, json]);
    expect(await letters.remove(queue, ["1", "3"])).toEqual(["1", "3"]);
    expect(await letters.list(queue, 10)).toMatchObject([{ sequenceNumber: "2" }]);
  });

  it("that are gone do not affect others when they are removed", async () => {
    await using stack = new AsyncDisposableStack();
    const { letters } = await buried(stack, [json, json]);
    expect(await letters.sendAgain(queue, ["7"])).toEqual([]);
    expect(await letters.list(queue, 10)).toHaveLength(2);
    expect(await letters.sendAgain(queue, ["2"])).toEqual(["2"]); // no message is left locked
  });

  it.each([["silent"], ["away"]] as const)(
    "cannot be read while the queue is %s, which is reported within seconds",
    async (kind) => {
      await using stack = new AsyncDisposableStack();
      const { letters, show, recover } = await buried(stack, [json]);
      show({ kind, seconds });
      const began = performance.now();
      await expect(letters.list(queue, 10)).rejects.toBeInstanceOf(Unavailable);
      expect(performance.now() - began).toBeLessThan(15_000);
      recover();
    },
  );
});
