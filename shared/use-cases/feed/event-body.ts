import type { EventEnvelope } from "../../contracts/events/events.ts";
import type { StoredEvent } from "../../domain/effects.ts";
import { sentJson } from "../../domain/texts.ts";
import type { Command } from "../../stores/commands.ts";

/**
 * The body of an event. It is the same text in the feed and on every attempt of its webhook, since its content was frozen at the commit.
 * Throws if the command has no event.
 */
export function eventBody(
  {
    commandId,
    sequence,
    at,
    event: content,
    keyId: keyID,
  }: Pick<Command, "commandId" | "sequence" | "at" | "event" | "keyId">,
  { eventId: id, type }: Pick<StoredEvent, "eventId" | "type">,
): string {
  if (!content || at === undefined) throw new Error(`command ${commandId} has no event`);
  const { causedBy, data } = content;
  const event: EventEnvelope<unknown> = { id, type, timestamp: at, sequence, causedBy, keyID, data };
  return sentJson(event);
}
