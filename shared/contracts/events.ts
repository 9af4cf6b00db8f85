import type { Change } from "../domain/advance.ts";
import type { Payment } from "../domain/payment.ts";
import type { ReadyEffect } from "../ports/commands.ts";
import { toPaymentObject, type PaymentObject } from "./payment-object.ts";

/** What a webhook carries: `data` is the payment as it was when the change was committed. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly sequence: number;
  readonly data: PaymentObject;
}

/**
 * A change's effects as they are committed: webhooks are put in words now, so that every attempt says the same. An event's
 * identifier follows from its session and sequence: committing the same change twice tells it under one name.
 */
export function freezeEffects({ payment, effects }: Change): ReadyEffect[] {
  return effects.map((effect) => {
    if (effect.kind !== "webhook") return effect;
    const { type, about } = effect;
    const eventId = eventIdOf(payment, about);
    const { updatedAt: createdAt, sequence } = payment;
    const event: PaymentEvent = { id: eventId, type, createdAt, sequence, data: toPaymentObject(payment) };
    return { ...effect, eventId, body: JSON.stringify(event), url: payment.webhookUrl };
  });
}

/**
 * One change tells at most one thing of the payment itself, and one of each refund or discount. No dots: they part what is signed.
 */
const eventIdOf = ({ sessionId, sequence }: Payment, about: string | undefined): string =>
  about === undefined ? `${sessionId}_${sequence}` : `${sessionId}_${sequence}_${about}`;
