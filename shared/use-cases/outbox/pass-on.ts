import type { QueueName } from "../../domain/effects.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RawMessage, RawMessages } from "../../ports/raw-messages.ts";
import { keepUntilTaken } from "./back-off.ts";

export interface PassOnDeps {
  readonly rawMessages: RawMessages;
  readonly clock: Clock;
}

/** A message that cannot be read, as the broker handed it over. */
export interface UnreadDelivery {
  readonly queue: QueueName;
  readonly message: RawMessage;
  readonly enqueuedAt: Instant;
}

const PAUSE_SECONDS = 60;
const GIVEN_UP_SECONDS = 24 * 3600;

/** The message's own properties that tell how long it has waited for a version that reads it. */
const SINCE = "unreadSince";
const TIMES = "timesUnread";

/**
 * A message that this version cannot read is sent on as it came, once a minute: another version beside this one, or the next, may read it.
 * After a day it is thrown, until the broker buries it. Throws the cause then, and `Unavailable` where the bus takes nothing for minutes.
 */
export async function passOn(
  { rawMessages, clock }: PassOnDeps,
  { queue, message, enqueuedAt }: UnreadDelivery,
  cause: unknown,
): Promise<void> {
  const { properties } = message;
  const since = instantIn(properties[SINCE]) ?? enqueuedAt;
  if (msBetween(since, enqueuedAt) >= GIVEN_UP_SECONDS * 1000) throw cause;
  const times = Number(properties[TIMES] ?? 0) + 1;
  const next = { ...message, properties: { ...properties, [SINCE]: since, [TIMES]: times } };
  await keepUntilTaken(clock, () => rawMessages.send(queue, next, after(enqueuedAt, PAUSE_SECONDS)));
}

/** The host writes a time that it finds among properties in its own way. */
function instantIn(property: RawMessage["properties"][string] | undefined): Instant | undefined {
  const time = typeof property === "string" ? Date.parse(property) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
