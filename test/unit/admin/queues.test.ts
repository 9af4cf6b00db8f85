import { expect, it } from "vitest";
import { createQueues, declaredQueues, type QueueAdministration } from "../../../infra/operator/admin/queues.ts";
import { workers } from "../../../functions/workers.ts";

/** A namespace with these queues. */
function aNamespace(...queues: { readonly name: string; readonly [setting: string]: unknown }[]) {
  const created: { readonly name: string; readonly options: object }[] = [];
  const administration: QueueAdministration = {
    async *listQueues() {
      yield* queues;
    },
    createQueue: async (name, options) => void created.push({ name, options }),
  };
  return { created, run: () => createQueues("Endpoint=sb://b/", administration) };
}

it("setup creates the queues that a namespace lacks, with the settings that Azure gets", async () => {
  const { created, run } = aNamespace();
  const done = await run();
  expect(done).toEqual(workers.map(({ name }) => ({ name, status: "created" })));
  expect(created[0]).toEqual({
    name: "terminal-messages",
    options: {
      lockDuration: "PT10S",
      maxDeliveryCount: 50,
      defaultMessageTimeToLive: "P14D",
      deadLetteringOnMessageExpiration: true,
      requiresDuplicateDetection: false,
      requiresSession: false,
      maxSizeInMegabytes: 5120,
    },
  });
});

it("setup does not change an existing queue, and names the settings that differ", async () => {
  const [first, second] = await declaredQueues();
  if (!first || !second) throw new Error("no queues are declared");
  const same = { name: first.name, ...first.options, defaultMessageTimeToLive: "PT336H" };
  const other = { name: second.name, ...second.options, maxDeliveryCount: 10, lockDuration: "PT1M" };
  const { created, run } = aNamespace(same, other);
  expect(await run()).toEqual(
    expect.arrayContaining([
      { name: first.name, status: "was there" },
      {
        name: second.name,
        status: "was there, but lockDuration is PT1M and not PT20S, but maxDeliveryCount is 10 and not 50",
      },
    ]),
  );
  expect(created.map(({ name }) => name)).not.toContain(second.name);
  expect(created).toHaveLength(workers.length - 2);
});
