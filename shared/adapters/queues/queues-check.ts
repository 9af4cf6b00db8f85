import type { ServiceBusClient } from "@azure/service-bus";
import type { QueueName } from "../../ports/queues.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { HealthCheck } from "../../ports/health-check.ts";
import { nameOfError } from "../../ports/logged-error.ts";
import { withinTime } from "./within-time.ts";

/** The senders' own connection, so that the check fails while it is lost. */
interface CheckedBus {
  client(): Pick<ServiceBusClient, "createReceiver">;
}

const PEEK_TIMEOUT_MS = 1_900;

/**
 * Peeks into each queue, which takes no message from it. Throws `Unavailable` with the names of the queues that fail, including missing
 * ones.
 */
export const queuesCheck = (bus: CheckedBus, queues: readonly QueueName[]): HealthCheck => ({
  name: "bus",
  async check() {
    const peeked = await Promise.allSettled(queues.map((queue) => peek(bus, queue)));
    const wrong = peeked.flatMap((one, i) =>
      one.status === "rejected" ? [`${queues[i]} ${nameOfError(one.reason)}`] : [],
    );
    if (wrong.length > 0) throw new Unavailable(wrong.join(", "), { dependency: "bus" });
  },
});

async function peek(bus: CheckedBus, queue: QueueName): Promise<void> {
  const receiver = bus.client().createReceiver(queue);
  try {
    await withinTime(receiver.peekMessages(1), PEEK_TIMEOUT_MS);
  } finally {
    // If the bus is down, a close gets no response either, so nothing waits for it.
    receiver.close().catch(() => {});
  }
}
