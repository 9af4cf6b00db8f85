import { z } from "zod";
import { paymentStates } from "../../domain/payment/payment.ts";
import type { Instant } from "../../domain/time.ts";
import { instant } from "../fields.ts";
import { actionRequestObject } from "../objects/action-request.ts";
import { terminalDayObject } from "../objects/terminal-day.ts";
import { paymentObject, type PaymentObject } from "../objects/payment.ts";

/** The body of a webhook. `data` is the payment, the action request or the terminal's day, as it was when the change was committed. */
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

/** The events that partners get, by their subjects. */
export const events = {
  payment: event(
    "PaymentEvent",
    [...paymentStates.map((state) => `payment.${state}` as const), "payment.corrected"],
    paymentObject,
  ),
  refund: event("RefundEvent", ["refund.succeeded", "refund.failed"], paymentObject),
  reversal: event("ReversalEvent", ["reversal.requested", "reversal.succeeded", "reversal.failed"], paymentObject),
  discount: event("DiscountEvent", ["discount.applied", "discount.refused"], paymentObject),
  day: event("TerminalDayEvent", ["day.closed", "day.differs"], terminalDayObject),
  actionRequest: event("ActionRequestEvent", ["actionRequest.created", "actionRequest.expired"], actionRequestObject),
};
