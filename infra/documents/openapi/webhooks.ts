import * as z from "zod";
import type { ZodOpenApiPathItemObject } from "zod-openapi";
import { events } from "../../../shared/contracts/events/events.ts";
import { sampleEvents } from "./samples/sample-events.ts";

const signed = z.object({
  "webhook-id": z.string().meta({ description: "The same on every attempt. Process each identifier once." }),
  "webhook-timestamp": z
    .string()
    .regex(/^\d+$/)
    .meta({ description: "The time of this attempt, in seconds since 1970." }),
  "webhook-signature": z.string().meta({
    description: "`v1,` and HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64, one for each of your secrets.",
  }),
});

/** How often an event is sent, and what the responses of a partner's server mean. */
interface Sending {
  readonly description: string;
  readonly responses: Readonly<Record<`${number}` | "2XX", { readonly description: string }>>;
}

const accepted = { "2XX": { description: "The webhook is accepted." } };
const untilAccepted: Sending = {
  description: "Sent until your server responds with 2xx, for about a week. It has the whole object as of the change.",
  responses: {
    ...accepted,
    "410": { description: "The event is not sent again." },
    "429": { description: "The next attempt waits for `Retry-After`." },
    "503": { description: "The next attempt waits for `Retry-After`." },
  },
};
const once: Sending = { description: "Sent once. It has no data.", responses: accepted };

const webhook = (
  kind: keyof typeof events,
  operationId: string,
  summary: string,
  { description, responses } = untilAccepted,
): ZodOpenApiPathItemObject => ({
  post: {
    operationId,
    tags: ["Webhooks"],
    summary,
    security: [], // it has no key of yours: its signature proves the sender
    description,
    requestParams: { header: signed },
    requestBody: {
      required: true,
      content: { "application/json": { schema: events[kind], example: sampleEvents[kind] } },
    },
    responses,
  },
});

/** The calls to partners' servers, as OpenAPI 3.1 describes webhooks. */
export const webhooks: Readonly<Record<keyof typeof events, ZodOpenApiPathItemObject>> = {
  payment: webhook("payment", "webhook-payment", "A payment changed"),
  refund: webhook("refund", "webhook-refund", "A refund ended"),
  reversal: webhook("reversal", "webhook-reversal", "An unwanted charge is reversed"),
  discount: webhook("discount", "webhook-discount", "A discount was decided"),
  day: webhook("day", "webhook-day", "A terminal's business day was closed, or differs"),
  settlement: webhook("settlement", "webhook-settlement", "A settlement was closed"),
  actionRequest: webhook(
    "actionRequest",
    "webhook-action-request",
    "A terminal raised an action request, or it expired",
  ),
  webhook: webhook("webhook", "webhook-test-event", "A test that you asked for", once),
};
