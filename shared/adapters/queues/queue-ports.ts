import type { Announcements } from "../../ports/announcements.ts";
import type { BareAlerts } from "../../ports/bare-alerts.ts";
import type { RawMessages } from "../../ports/raw-messages.ts";
import { queueSender, type Senders } from "./queue-sender.ts";
import type { Bus } from "./replaced-bus.ts";

/**
 * Every port that is built on queues. `writeVersion` is the version in whose form messages are sent. The default is the oldest version that
 * this release reads.
 */
export const queuePorts = (bus: Bus, writeVersion?: number): QueuePorts => portsOn(queueSender(bus, writeVersion));

export interface QueuePorts {
  readonly announcements: Announcements;
  readonly bareAlerts: BareAlerts;
  readonly rawMessages: RawMessages;
}

/** The ports on any senders. Tests and the simulation pass their own. */
export const portsOn = ({ send, sendRaw }: Senders): QueuePorts => ({
  announcements: { send },
  bareAlerts: { send: (alert, at) => send("operator-alerts", alert, at) },
  rawMessages: { send: sendRaw },
});
