import * as z from "zod";
import { paymentStates, type PaymentState } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import { instant, pointOfServiceID } from "../fields.ts";
import { actionRequestObject } from "../objects/action-request.ts";
import { terminalDayObject } from "../objects/terminal-day.ts";
import { paymentObject, type PaymentObject } from "../objects/payment.ts";
import { stateClauses } from "../payment-words.ts";
import { sentence, values } from "../values.ts";

/** The body of a webhook. `data` is the payment, the action request or the terminal's day, as it was when the change was committed. */
export interface EventEnvelope<Data = PaymentObject> {
  readonly id: string;
  readonly type: string;
  readonly timestamp: Instant;
  readonly sequence: number;
  readonly data: Data;
}

const event = <Type extends z.ZodType, Data extends z.ZodType>(id: string, type: Type, data: Data) =>
  z
    .object({
      id: z.string().meta({ description: "The same on every attempt, and in the header `webhook-id`." }),
      type,
      timestamp: instant.meta({ description: "When it happened." }),
      sequence: z.int().meta({ description: "The newer of two events about one subject has the higher number." }),
      data,
    })
    .meta({ id });

/** The types of the events of one subject, as a named enumeration. */
const types = <Type extends string>(id: string, meanings: Readonly<Record<Type, string>>) =>
  values(id, "What happened.", meanings);

const ofPayments = Object.fromEntries(
  paymentStates.map((state) => [`payment.${state}`, sentence(`the payment is \`${state}\`: ${stateClauses[state]}`)]),
) as Record<`payment.${PaymentState}`, string>;

/** The events that partners get, by their subjects. */
export const events = {
  payment: event(
    "PaymentEvent",
    types("PaymentEventType", {
      ...ofPayments,
      "payment.corrected": "An operator corrected what is recorded of the payment.",
    }),
    paymentObject,
  ),
  refund: event(
    "RefundEvent",
    types("RefundEventType", {
      "refund.succeeded": "The money was given back.",
      "refund.failed": "Nothing was given back: the refund's `statusReason` says why.",
    }),
    paymentObject,
  ),
  reversal: event(
    "ReversalEvent",
    types("ReversalEventType", {
      "reversal.requested": "The platform asks the terminal to give back a charge that the payment does not want.",
      "reversal.succeeded": "The charge was given back.",
      "reversal.failed": "The terminal did not give the charge back, and an operator does it.",
    }),
    paymentObject,
  ),
  discount: event(
    "DiscountEvent",
    types("DiscountEventType", {
      "discount.applied": "The terminal applied the discount, and it counts.",
      "discount.refused": "The discount does not count.",
    }),
    paymentObject,
  ),
  day: event(
    "TerminalDayEvent",
    types("TerminalDayEventType", {
      "day.closed": "Terminal and books are equal.",
      "day.differs": "Terminal and books differ, or the terminal's totals did not come in time.",
    }),
    terminalDayObject,
  ),
  actionRequest: event(
    "ActionRequestEvent",
    types("ActionRequestEventType", {
      "actionRequest.created": "A terminal asks you something while a customer waits.",
      "actionRequest.expired": "No response came in time.",
    }),
    actionRequestObject,
  ),
};

/**
 * Any event. `type` and `data` are open, so that a program can read and ignore an event that it does not know. The event's own schema has
 * the members of `data`.
 */
export const anyEvent = event(
  "Event",
  z.string().meta({
    description:
      "What happened. The part before the point names the schema of the whole event: `payment` is a `PaymentEvent`, `refund` a `RefundEvent`, `reversal` a `ReversalEvent`, `discount` a `DiscountEvent`, `day` a `TerminalDayEvent`, `actionRequest` an `ActionRequestEvent`. Ignore any other type.",
  }),
  z.looseObject({ pointOfServiceID }).meta({
    id: "EventData",
    description: "The payment, the terminal's day or the action request, as it was when the change was committed.",
  }),
);
