import type { Change } from "../domain/advance.ts";
import type { Payment } from "../domain/payment.ts";
import type { FrozenEvent } from "../ports/payments.ts";
import { toPaymentObject, type PaymentObject } from "./payment-object.ts";

/** What a webhook carries: `data` is the payment as it was when the change was committed. */
export interface EventEnvelope {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly sequence: number;
  readonly data: PaymentObject;
}

/**
 * The bodies of the webhooks that a change makes, frozen now so that every attempt says the same. An event's identifier follows
 * from its session and sequence: committing the same change twice tells it under one name.
 */
export function freezeEvents({ payment, effects }: Change): FrozenEvent[] {
  const types = effects.flatMap((effect) => (effect.kind === "webhook" ? [effect.type] : []));
  return types.map((type) => {
    const id = eventId(payment, type);
    const { updatedAt: createdAt, sequence } = payment;
    const envelope: EventEnvelope = { id, type, createdAt, sequence, data: toPaymentObject(payment) };
    return { id, type, body: JSON.stringify(envelope) };
  });
}

/** One change tells at most one thing of the payment itself; a refund or discount in the same change is told apart by its type. */
const eventId = ({ sessionId, sequence }: Payment, type: string): string =>
  type.startsWith("payment.") ? `${sessionId}.${sequence}` : `${sessionId}.${sequence}.${type}`;
