import * as z from "zod";
import type { Actor } from "../../domain/payment/record/events.ts";
import { paymentStates, type PaymentState } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import { instant, pointOfServiceID } from "../fields.ts";
import { actionRequestObject } from "../objects/action-request.ts";
import { settlementDayObject } from "../objects/settlement-days.ts";
import { terminalDayObject } from "../objects/terminal-day.ts";
import { actor } from "../objects/payment-values.ts";
import { paymentObject, type PaymentObject } from "../objects/payment.ts";
import { stateClauses } from "../payment-words.ts";
import { sentence, values } from "../values.ts";

/**
 * The body of an event. Its `data` is the payment, the action request, the terminal's day or the settlement, as it was when the change was
 * committed.
 */
export interface EventEnvelope<Data = PaymentObject> {
  readonly id: string;
  readonly type: string;
  readonly timestamp: Instant;
  readonly sequence: number;
  readonly causedBy?: Actor | undefined;
  /** The partner's key, if the partner caused the change. */
  readonly keyID?: string | undefined;
  readonly data: Data;
}

const event = <Type extends z.ZodType, Data extends z.ZodType>(id: string, type: Type, data: Data) =>
  z
    .object({
      id: z.string().meta({ description: "The same on every attempt, and equal to the header `webhook-id`." }),
      type,
      timestamp: instant.meta({ description: "The time of the change." }),
      sequence: z
        .int()
        .meta({ description: "If two events are about one object, the newer one has the higher number." }),
      causedBy: actor.optional().meta({
        description: "The actor that caused the change. Absent in an event from before this was kept.",
      }),
      keyID: z
        .string()
        .optional()
        .meta({ description: "The `keyID` of your key that caused the change, if `causedBy` is `partner`." }),
      data,
    })
    .meta({ id });

/** The types of the events of one subject, as a named enumeration. */
const types = <Type extends string>(id: string, meanings: Readonly<Record<Type, string>>) =>
  values(id, "The event.", meanings);

const ofPayments = Object.fromEntries(
  paymentStates.map((state) => [`payment.${state}`, sentence(`the payment is \`${state}\`: ${stateClauses[state]}`)]),
) as Record<`payment.${PaymentState}`, string>;

/** The events that partners get, by their subjects. */
export const events = {
  payment: event(
    "PaymentEvent",
    types("PaymentEventType", {
      ...ofPayments,
      "payment.corrected": "An operator corrected the payment's books.",
      "payment.contradicted":
        "The terminal contradicts what was known of a charge or refund. The charge is now `contradicted` or `inDoubt`, the refund is `pending` again. An operator decides.",
    }),
    paymentObject,
  ),
  refund: event(
    "RefundEvent",
    types("RefundEventType", {
      "refund.requested": "You requested the refund. Only the feed has this event.",
      "refund.succeeded": "The money was returned.",
      "refund.failed": "No money was returned. The refund's `statusReason` has the reason.",
    }),
    paymentObject,
  ),
  reversal: event(
    "ReversalEvent",
    types("ReversalEventType", {
      "reversal.requested": "The platform has asked the terminal to return an unwanted charge.",
      "reversal.succeeded": "The charge was returned.",
      "reversal.failed": "The terminal could not return the charge. An operator returns it.",
    }),
    paymentObject,
  ),
  discount: event(
    "DiscountEvent",
    types("DiscountEventType", {
      "discount.requested": "You requested the discount. Only the feed has this event.",
      "discount.applied": "The terminal applied the discount, and it counts.",
      "discount.refused": "The discount does not count.",
    }),
    paymentObject,
  ),
  day: event(
    "TerminalDayEvent",
    types("TerminalDayEventType", {
      "day.closed": "The terminal's totals equal the books.",
      "day.differs": "The terminal's totals differ from the books, or did not arrive in time.",
    }),
    terminalDayObject,
  ),
  settlement: event(
    "SettlementEvent",
    types("SettlementEventType", { "settlement.closed": "The settlement of a business day is closed." }),
    settlementDayObject,
  ),
  actionRequest: event(
    "ActionRequestEvent",
    types("ActionRequestEventType", {
      "actionRequest.created": "A terminal asks you a question while a customer waits.",
      "actionRequest.expired": "There was no response in time.",
    }),
    actionRequestObject,
  ),
  webhook: event(
    "WebhookTestEvent",
    types("WebhookTestEventType", { "webhook.test": "You asked for a test. The feed does not have this event." }),
    z.object({}).meta({ id: "WebhookTestEventData", description: "A test has no data." }),
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
      "The type of the event. The part before the point decides the schema of the whole event. `payment` is a `PaymentEvent`, `refund` a `RefundEvent`, and `reversal` a `ReversalEvent`. `discount` is a `DiscountEvent`, `day` a `TerminalDayEvent`, and `settlement` a `SettlementEvent`. `actionRequest` is an `ActionRequestEvent`. Ignore any other type.",
  }),
  z.looseObject({ pointOfServiceID: pointOfServiceID.optional() }).meta({
    id: "EventData",
    description:
      "The payment, the terminal's day, the settlement or the action request, as of the change. Without `pointOfServiceID` it is about no single terminal.",
  }),
);
