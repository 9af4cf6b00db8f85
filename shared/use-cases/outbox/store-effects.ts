import { isEvent, type Effect, type Envelope, type StoredEffect, type StoredEvent } from "../../domain/effects.ts";
import type { NewCommand } from "../../stores/commands.ts";
import type { Origin } from "./origin.ts";

/** A new command's identifier, and the keys of its request. */
type Named = Pick<NewCommand, "commandId" | "keyId" | "idempotency">;

/** The origin of a committed command's messages and events. */
type Committed = Origin & Pick<NewCommand, "commandId">;

/**
 * The command of a change, as it is stored; undefined if the change has neither effects nor an `Idempotency-Key`, which its command proves
 * to be used. It adds the data that a decision leaves out: the slots
 * of messages, the content and identifiers of events, and the times of alerts. All are written once, at the commit, so that every delivery
 * and every attempt is the same.
 */
export function commandOf(named: Named, effects: readonly Effect[], of: Origin): NewCommand | undefined {
  if (effects.length === 0 && !named.idempotency) return undefined;
  const origin = { ...of, commandId: named.commandId };
  const hasEvent = effects.some(isEvent);
  const event = hasEvent ? { data: origin.data(), url: origin.webhookUrl, causedBy: origin.causedBy } : undefined;
  return { ...named, effects: effects.map((effect) => stored(effect, origin)), event };
}

function stored(effect: Effect, origin: Committed): StoredEffect {
  switch (effect.kind) {
    case "message":
      return { kind: effect.kind, envelope: addressed(effect, origin) };
    case "webhook":
    case "feedEntry":
      return {
        ...effect,
        eventId: eventIdOf(effect, { ...origin.slot, name: origin.slot.sessionId, commandId: origin.commandId }),
      };
    case "alert":
      return { ...effect, at: origin.updatedAt };
    default:
      return effect;
  }
}

const addressed = (
  { message, expiresAt }: Extract<Effect, { readonly kind: "message" }>,
  { terminalId, slot, sessionIdAsReceived }: Origin,
): Envelope => ({ terminalId, slot, sessionIdAsReceived, message, expiresAt });

/**
 * The event's identifier is `<subject>_<sequence>[_<about>]_<command>`. A change has at most one event of its subject, and one of each
 * refund, charge or discount. After a restore another change may have the sequence of a lost one, but never its command. Partners ignore an
 * identifier that they have seen. It holds no dots, which separate the parts of the signed text.
 */
export const eventIdOf = (
  { about }: Pick<StoredEvent, "about">,
  { name, sequence, commandId }: { readonly name: string; readonly sequence: number; readonly commandId: string },
): string => [name, sequence, about, commandId].filter((part) => part !== undefined).join("_");
