import { z } from "zod";
import type { ActionChange } from "../domain/action-request.ts";
import type { Change } from "../domain/payment/advance.ts";
import type { Effect } from "../domain/effects.ts";
import { paymentStates } from "../domain/payment/payment.ts";
import type { Instant } from "../domain/time.ts";
import type { ReadyEffect } from "../ports/commands.ts";
import { actionRequestObject, toActionRequestObject } from "./action-request.ts";
import { instant } from "./fields.ts";
import { paymentObject, toPaymentObject, type PaymentObject } from "./payment-object.ts";

/** What a webhook carries: `data` is the payment, or the action request, as it was when the change was committed. */
export interface EventEnvelope<Data = PaymentObject> {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Instant;
  readonly sequence: number;
  readonly data: Data;
}

const event = <const Types extends readonly string[], Data extends z.ZodType>(id: string, types: Types, data: Data) =>
  z
    .object({
      id: z.string().meta({ description: "The same on every attempt, and in the header `webhook-id`." }),
      type: z.enum(types).meta({ description: "What happened." }),
      createdAt: instant.meta({ description: "When it happened." }),
      sequence: z.int().meta({ description: "Of two events about the same thing the higher is the newer." }),
      data,
    })
    .meta({ id });

/** The events that partners are told of, by what they are about. */
export const events = {
  payment: event(
    "PaymentEvent",
    paymentStates.map((state) => `payment.${state}` as const),
    paymentObject,
  ),
  refund: event("RefundEvent", ["refund.succeeded", "refund.failed"], paymentObject),
  discount: event("DiscountEvent", ["discount.applied", "discount.refused"], paymentObject),
  actionRequest: event("ActionRequestEvent", ["actionRequest.created", "actionRequest.expired"], actionRequestObject),
};

/** A payment's effects as they are committed, its webhooks put in words now, so that every attempt says the same. */
export const freezeEffects = ({ payment, effects }: Change): ReadyEffect[] =>
  freeze(effects, { ...payment, id: payment.sessionId }, toPaymentObject(payment));

/** The same for an action request. */
export const freezeActionEffects = ({ action, effects }: ActionChange): ReadyEffect[] =>
  freeze(effects, { ...action, id: action.actionRequestId }, toActionRequestObject(action));

/**
 * An event's identifier follows from what it tells of and the sequence: committing the same change twice tells it under one
 * name. One change tells at most one thing of its subject, and one of each refund or discount. No dots: they part what is signed.
 */
function freeze(
  effects: readonly Effect[],
  subject: {
    readonly id: string;
    readonly sequence: number;
    readonly updatedAt: Instant;
    readonly webhookUrl?: string | undefined;
  },
  data: unknown,
): ReadyEffect[] {
  const { sequence, updatedAt: createdAt, webhookUrl: url } = subject;
  return effects.map((effect) => {
    if (effect.kind !== "webhook") return effect;
    const { type, about } = effect;
    const eventId = [subject.id, sequence, about].filter((part) => part !== undefined).join("_");
    const event: EventEnvelope<unknown> = { id: eventId, type, createdAt, sequence, data };
    return { ...effect, eventId, body: JSON.stringify(event), url };
  });
}
