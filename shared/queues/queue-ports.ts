import type { ServiceBusClient } from "@azure/service-bus";
import type { Announcements } from "../ports/announcements.ts";
import type { BareAlerts } from "../ports/bare-alerts.ts";
import type { RawMessages } from "../ports/raw-messages.ts";
import { queueSender, type Senders } from "./queue-sender.ts";

/** Every port that is built on queues. */
export const queuePorts = (client: ServiceBusClient): QueuePorts => portsOn(queueSender(client));

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
