import type { Attributes } from "@opentelemetry/api";
import type { QueueName } from "../../ports/queues.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { BareAlert } from "../../ports/bare-alerts.ts";
import { identifiersIn } from "./identifiers.ts";

/** The attributes of any message on a queue. */
export const ofQueue = (queue: QueueName, operation: "send" | "process"): Attributes => ({
  "messaging.system": "servicebus",
  "messaging.destination.name": queue,
  "messaging.operation.name": operation,
  "messaging.operation.type": operation,
});

/** The attributes of an announcement: which effect, for which subject, and how often it was tried. */
export function ofAnnouncement({ subject, commandId, effect, ...counted }: Announcement): Attributes {
  const { attempt, failures, lookups, postponed } = counted;
  const counts = { attempt, failures, lookups, postponed };
  return {
    ...identifiersIn(subject),
    "payment.command_id": commandId,
    "payment.effect": effect,
    ...Object.fromEntries(
      Object.entries(counts).flatMap(([name, n]) => (n === undefined ? [] : [[`payment.${name}`, n]])),
    ),
  };
}

/**
 * The attributes of an alert without a command: its kind and its subject. Its detail is left out, because it may hold a terminal's words.
 */
export const ofBareAlert = ({ raised: { kind, subject } }: BareAlert): Attributes => ({
  ...identifiersIn(subject),
  "payment.alert": kind,
});
