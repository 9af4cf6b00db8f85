import type { ServiceBusQueueHandler } from "@azure/functions";
import { deliver, type DeliverDeps, type CarryOut } from "../use-cases/outbox/deliver.ts";
import type { Instant } from "../domain/time.ts";
import { announcementBody, type QueueName } from "../ports/announcements.ts";

/** A queue-triggered function: its name is also its queue's. */
export interface QueueWorker {
  readonly name: QueueName;
  readonly handler: ServiceBusQueueHandler;
}

/** Reads the announcement and delivers it. A message that cannot be read is thrown: it ends with the dead letters, kept. */
export const queueWorker = (name: QueueName, deps: DeliverDeps, carryOut: CarryOut): QueueWorker => ({
  name,
  handler: async (message, context) => {
    const announcement = announcementBody.parse(message);
    const enqueuedAt = utc(String(context.triggerMetadata?.["enqueuedTimeUtc"]));
    await deliver(deps, { queue: name, announcement, enqueuedAt }, carryOut);
  },
});

/** The host writes this time in UTC without saying so: taken as local it would be hours off. Throws when it is no time. */
const utc = (time: string): Instant => new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`).toISOString();
