import { z } from "zod";
import type { ZodOpenApiPathItemObject } from "zod-openapi";
import { events } from "../../shared/contracts/events.ts";
import {
  authorizedPayment,
  discountedPayment,
  refundingPayment,
  sampleAction,
} from "../../shared/contracts/samples.ts";

const told = {
  payment: { summary: "A payment changed", type: "payment.authorized", data: authorizedPayment, sequence: 3 },
  refund: { summary: "A refund ended", type: "refund.succeeded", data: refundingPayment, sequence: 7 },
  discount: { summary: "A discount was decided", type: "discount.applied", data: discountedPayment, sequence: 4 },
  actionRequest: {
    summary: "A terminal asks, or asked in vain",
    type: "actionRequest.created",
    data: sampleAction,
    sequence: 1,
  },
} as const satisfies Record<keyof typeof events, object>;

const signed = z.object({
  "webhook-id": z.string().meta({ description: "The same on every attempt: what you have had, do not do again." }),
  "webhook-timestamp": z.string().regex(/^\d+$/).meta({ description: "Seconds since 1970, of this attempt." }),
  "webhook-signature": z.string().meta({
    description: "`v1,` and HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64, one for each of your secrets.",
  }),
});

/** What partners are called back with, as OpenAPI 3.1 knows webhooks. */
export const webhooks: Record<string, ZodOpenApiPathItemObject> = Object.fromEntries(
  Object.entries(told).map(([name, { summary, type, data, sequence }]) => [
    name,
    {
      post: {
        operationId: `webhook-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        tags: ["Webhooks"],
        summary,
        description:
          "Told until it is answered with 2xx, for three days. It carries the whole object as it was when the change was committed.",
        requestParams: { header: signed },
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: events[name as keyof typeof events],
              example: {
                id: `${"sessionID" in data ? data.sessionID : sampleAction.actionRequestID}_${sequence}`,
                type,
                createdAt: data.createdAt,
                sequence,
                data,
              },
            },
          },
        },
        responses: {
          "2XX": { description: "It is yours now." },
          "410": { description: "This address wants no more: nothing is sent again." },
          "429": { description: "Later: `Retry-After` is honoured." },
          "503": { description: "Later: `Retry-After` is honoured." },
        },
      },
    },
  ]),
);
