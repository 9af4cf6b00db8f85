import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type Payment = components["schemas"]["Payment"];
export type Problem = components["schemas"]["Problem"];
/** What your webhook receives. */
export type WebhookEvent =
  | components["schemas"]["PaymentEvent"]
  | components["schemas"]["RefundEvent"]
  | components["schemas"]["ReversalEvent"]
  | components["schemas"]["DiscountEvent"]
  | components["schemas"]["ActionRequestEvent"];

/**
 * The Partners API with its paths, bodies, answers and problems as types. Each call resolves to `data` or `error`, and rejects only
 * where there was no answer at all: then make the same call again, nothing is done twice.
 */
export const partnersClient = (options: {
  /** Up to and with `/partners`. */
  readonly baseUrl: string;
  readonly apikey: string;
  readonly subscriptionKey: string;
}): Client<paths> =>
  createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { apikey: options.apikey, "Ocp-Apim-Subscription-Key": options.subscriptionKey },
  });
