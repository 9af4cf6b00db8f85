import { toActionRequestObject } from "../../contracts/objects/action-request.ts";
import { toPaymentObject } from "../../contracts/objects/payment.ts";
import { toTerminalDayObject } from "../../contracts/objects/terminal-day.ts";
import type { ActionChange } from "../../domain/action-request.ts";
import type { Effect, InboxSlot, Envelope, StoredEffect } from "../../domain/effects.ts";
import type { Change } from "../../domain/payment/life/advance.ts";
import { slotOf } from "../../domain/payment/record/payment.ts";
import type { DayChange } from "../../domain/terminal-day/changes.ts";
import { nameOfDay } from "../../domain/terminal-day/terminal-day.ts";
import type { Instant } from "../../domain/time.ts";
import type { NewCommand } from "../../stores/commands.ts";

/** The parts of a committed subject and its command that messages and events take. */
interface Origin {
  readonly commandId: string;
  readonly terminalId: string;
  readonly slot: InboxSlot;
  readonly sessionIdAsReceived: string | undefined;
  readonly updatedAt: Instant;
  /** The webhook address that the subject's own request names. */
  readonly webhookUrl: string | undefined;
  /** The subject as its events show it. */
  readonly data: () => unknown;
}

/** A new command's identifier, and the key that proved its request. */
type Named = Pick<NewCommand, "commandId" | "keyId">;

/** The command of a payment's change, as it is stored; undefined where the change has no effects. */
export const commandOfPayment = (named: Named, { payment, effects }: Change): NewCommand | undefined =>
  commandOf(named, effects, {
    ...payment,
    webhookUrl: payment.webhookUrl,
    slot: slotOf(payment, payment.sequence),
    sessionIdAsReceived: payment.asReceived.sessionId,
    data: () => toPaymentObject(payment),
  });

/** The command of an action request's change, as it is stored; undefined where the change has no effects. */
export const commandOfAction = (named: Named, { action, effects }: ActionChange): NewCommand | undefined =>
  commandOf(named, effects, {
    ...action,
    webhookUrl: action.webhookUrl,
    slot: { createdAt: action.createdAt, sessionId: action.actionRequestId, sequence: action.sequence },
    sessionIdAsReceived: action.sessionId,
    data: () => toActionRequestObject(action),
  });

/** The command of a change of a terminal's day, as it is stored; undefined where the change has no effects. */
export const commandOfDay = (named: Named, { terminalDay, effects }: DayChange): NewCommand | undefined =>
  commandOf(named, effects, {
    ...terminalDay,
    webhookUrl: undefined,
    slot: { createdAt: terminalDay.createdAt, sessionId: nameOfDay(terminalDay), sequence: terminalDay.sequence },
    sessionIdAsReceived: undefined,
    data: () => toTerminalDayObject(terminalDay),
  });

/**
 * Adds what a decision leaves out: the slots of messages, the content and identifiers of events, and the times of alerts. All are written
 * once, at the commit, so that every delivery and every attempt is the same.
 */
function commandOf(named: Named, effects: readonly Effect[], of: Omit<Origin, "commandId">): NewCommand | undefined {
  if (effects.length === 0) return undefined;
  const origin = { ...of, commandId: named.commandId };
  const hasEvent = effects.some(({ kind }) => kind === "webhook");
  const event = hasEvent ? { data: origin.data(), url: origin.webhookUrl } : undefined;
  return { ...named, effects: effects.map((effect) => stored(effect, origin)), event };
}

function stored(effect: Effect, origin: Origin): StoredEffect {
  switch (effect.kind) {
    case "admission":
      return { kind: effect.kind, expected: effect.expected, envelope: addressed(effect, origin) };
    case "message":
      return { kind: effect.kind, envelope: addressed(effect, origin) };
    case "webhook":
      return { ...effect, eventId: eventIdOf(effect, origin) };
    case "alert":
      return { ...effect, at: origin.updatedAt };
    default:
      return effect;
  }
}

const addressed = (
  { message, expiresAt }: Extract<Effect, { readonly kind: "admission" | "message" }>,
  { terminalId, slot, sessionIdAsReceived }: Origin,
): Envelope => ({ terminalId, slot, sessionIdAsReceived, message, expiresAt });

/**
 * The event's identifier is `<subject>_<sequence>[_<about>]_<command>`. A change has at most one event of its subject, and one of each
 * refund, charge or discount. After a restore another change may have the sequence of a lost one, but never its command: partners drop an
 * identifier that they have seen. It holds no dots, which separate the parts of the signed text.
 */
const eventIdOf = (
  { about }: Extract<Effect, { readonly kind: "webhook" }>,
  { slot: { sessionId, sequence }, commandId }: Origin,
): string => [sessionId, sequence, about, commandId].filter((part) => part !== undefined).join("_");
