import type { ServiceBusClient } from "@azure/service-bus";
import type { Announcements } from "../ports/announcements.ts";
import type { BareAlerts } from "../ports/bare-alerts.ts";
import type { RawMessages } from "../ports/raw-messages.ts";
import { queueSender, type Senders } from "./queue-sender.ts";

/** Every port that is built on queues. Messages are sent in the form of a version: where left out, of the oldest one that this release reads. */
export const queuePorts = (client: ServiceBusClient, writeVersion?: number): QueuePorts =>
  portsOn(queueSender(client, writeVersion));

export interface QueuePorts {
  readonly announcements: Announcements;
  readonly bareAlerts: BareAlerts;
  readonly rawMessages: RawMessages;
}

/** The ports on any senders: tests and the simulation have their own. */
export const portsOn = ({ send, sendRaw }: Senders): QueuePorts => ({
  announcements: { send },
  bareAlerts: { send: (alert, at) => send("operator-alerts", alert, at) },
  rawMessages: { send: sendRaw },
});
