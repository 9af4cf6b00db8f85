import { toActionRequestObject } from "../../contracts/objects/action-request.ts";
import type { EventEnvelope } from "../../contracts/events/events.ts";
import { toPaymentObject } from "../../contracts/objects/payment.ts";
import type { ActionChange } from "../../domain/action-request.ts";
import type { Effect, InboxPlace, StoredEffect } from "../../domain/effects.ts";
import type { Change } from "../../domain/payment/advance.ts";
import { placeOf } from "../../domain/payment/payment.ts";
import type { Instant } from "../../domain/time.ts";

/** The committed subject, as far as its messages and events name it. */
interface Origin {
  readonly terminalId: string;
  readonly place: InboxPlace;
  readonly spelledSessionId: string | undefined;
  readonly updatedAt: Instant;
  /** Where the subject's own request wants its events sent. */
  readonly webhookUrl: string | undefined;
  /** What its events show of it. */
  readonly data: () => unknown;
}

/** A payment's effects as its command stores them. */
export const storedPaymentEffects = ({ payment, effects }: Change): StoredEffect[] =>
  stored(effects, {
    ...payment,
    webhookUrl: payment.webhookUrl,
    place: placeOf(payment, payment.sequence),
    spelledSessionId: payment.spelled.sessionId,
    data: () => toPaymentObject(payment),
  });

/** An action request's effects as its command stores them. */
export const storedActionEffects = ({ action, effects }: ActionChange): StoredEffect[] =>
  stored(effects, {
    ...action,
    webhookUrl: action.webhookUrl,
    place: { createdAt: action.createdAt, sessionId: action.actionRequestId, sequence: action.sequence },
    spelledSessionId: action.sessionId,
    data: () => toActionRequestObject(action),
  });

/**
 * Stamps what a decision does not say: where a message stands in its inbox, what an event's body says, and when an alert was raised.
 * All are written once, at the commit, so that every delivery and attempt is the same.
 */
const stored = (effects: readonly Effect[], origin: Origin): StoredEffect[] =>
  effects.map((effect) => {
    switch (effect.kind) {
      case "admission":
      case "message":
        return addressed(effect, origin);
      case "webhook":
        return frozen(effect, origin);
      case "alert":
        return { ...effect, at: origin.updatedAt };
      default:
        return effect;
    }
  });

function addressed(
  { kind, message, expiresAt }: Extract<Effect, { readonly kind: "admission" | "message" }>,
  { terminalId, place, spelledSessionId }: Origin,
): StoredEffect<"admission" | "message"> {
  return { kind, mailing: { terminalId, place, spelledSessionId, message, expiresAt } };
}

/**
 * The event's identifier is `<subject>_<sequence>[_<about>]`: committing a change twice gives one identifier. A change has at most one
 * event of its subject, and one of each refund or discount. No dots: they part what is signed.
 */
function frozen(
  effect: Extract<Effect, { readonly kind: "webhook" }>,
  { place: { sessionId, sequence }, updatedAt: createdAt, webhookUrl: url, data }: Origin,
): StoredEffect<"webhook"> {
  const { type, about } = effect;
  const id = [sessionId, sequence, about].filter((part) => part !== undefined).join("_");
  const event: EventEnvelope<unknown> = { id, type, createdAt, sequence, data: data() };
  return { ...effect, eventId: id, body: JSON.stringify(event), url };
}
