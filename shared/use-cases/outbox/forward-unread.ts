import type { QueueName } from "../../ports/queues.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { RawMessage } from "../../ports/raw-messages.ts";
import { keepUntilTaken, type BackOffDeps } from "./back-off.ts";
import type { Needs } from "../needs.ts";

export type ForwardUnreadDeps = BackOffDeps & Needs<"rawMessages">;

/** A message that this version cannot read, as the broker delivered it. */
export interface UnreadDelivery {
  readonly queue: QueueName;
  readonly message: RawMessage;
  readonly enqueuedAt: Instant;
}

const PAUSE_SECONDS = 60;
const GIVEN_UP_SECONDS = 24 * 3600;

/** Properties of the message: since when, and how often, no version could read it. */
const SINCE = "unreadSince";
const TIMES = "timesUnread";

/**
 * Sends on a message that this version cannot read, unchanged, once a minute. Another running version, or the next one, may read it. After
 * a day, throws `cause` on each delivery until the broker moves the message to the dead letters. Throws `Unavailable` if the bus accepts
 * nothing for minutes.
 */
export async function forwardUnread(
  { rawMessages, clock, log }: ForwardUnreadDeps,
  { queue, message, enqueuedAt }: UnreadDelivery,
  cause: unknown,
): Promise<void> {
  const { properties } = message;
  const since = instantIn(properties[SINCE]) ?? enqueuedAt;
  if (msBetween(since, enqueuedAt) >= GIVEN_UP_SECONDS * 1000) throw cause;
  const times = Number(properties[TIMES] ?? 0) + 1;
  const next = { ...message, properties: { ...properties, [SINCE]: since, [TIMES]: times } };
  log.write("versionAhead", { queue, reason: "message", tries: times, dueMs: PAUSE_SECONDS * 1_000 });
  await keepUntilTaken({ clock, log }, () => rawMessages.send(queue, next, after(enqueuedAt, PAUSE_SECONDS)));
}

/** Reads a time from the properties. The host rewrites such times in its own format. */
function instantIn(property: RawMessage["properties"][string] | undefined): Instant | undefined {
  const time = typeof property === "string" ? Date.parse(property) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
