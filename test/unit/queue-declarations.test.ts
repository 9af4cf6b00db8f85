import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workers } from "../../functions/workers.ts";
import { readQueues } from "../../packages/local-azure/service-bus/broker.ts";
import { standardTimings } from "../../shared/domain/timings.ts";

const declared = join(import.meta.dirname, "../../infra/azure/service-bus");
const queuesFile = join(declared, "queues.json");
const overridesFile = join(declared, "overrides.json");

describe("the product's queues", () => {
  it("declare a queue for each worker, within the limits of Microsoft's emulator", async () => {
    const queues = await readQueues(queuesFile);
    expect(queues.map(({ name }) => name)).toEqual(workers.map(({ name }) => name));
  });

  it("let every queue deliver 50 times and keep messages 14 days, then dead-letter them", async () => {
    for (const queue of await readQueues(queuesFile, overridesFile)) {
      expect(queue).toMatchObject({
        maxDeliveryCount: 50,
        timeToLiveMs: 14 * 24 * 3_600_000,
        deadLetterOnExpiration: true,
      });
    }
  });

  it("give a message to another worker before a payment's acceptance is overdue, with five seconds to spare", async () => {
    const { acceptanceSeconds } = standardTimings;
    for (const { lockDurationMs } of await readQueues(queuesFile, overridesFile))
      expect(lockDurationMs / 1000 + 5).toBeLessThan(acceptanceSeconds);
  });

  it("use no sessions and no duplicate detection", async () => {
    for (const queue of await readQueues(queuesFile, overridesFile)) {
      expect(queue).toMatchObject({ requiresSession: false, duplicateWindowMs: undefined });
    }
  });
});
