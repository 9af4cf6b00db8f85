import type { EventEnvelope } from "../../contracts/events/events.ts";
import type { StoredEffect } from "../../domain/effects.ts";
import type { Command } from "../../ports/commands.ts";

/** The body of a webhook: the same text on every attempt, as all of it was frozen at the commit. Throws for a command that tells nothing. */
export function eventBody(
  { commandId, sequence, at, told }: Pick<Command, "commandId" | "sequence" | "at" | "told">,
  { eventId: id, type }: StoredEffect<"webhook">,
): string {
  if (!told || at === undefined) throw new Error(`command ${commandId} tells nothing`);
  const event: EventEnvelope<unknown> = { id, type, createdAt: at, sequence, data: told.data };
  return JSON.stringify(event);
}
