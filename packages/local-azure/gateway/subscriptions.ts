import { headerText, PolicyFailure, type Call } from "./call.ts";
import type { Api } from "./declaration.ts";

export interface Subscription {
  readonly id: string;
  readonly primaryKey: string;
  readonly secondaryKey: string;
  /** The identifiers of the APIs in its scope. If left out, all APIs that require a subscription. */
  readonly apis?: readonly string[] | undefined;
}

const HEADER = "ocp-apim-subscription-key";
const QUERY_PARAMETER = "subscription-key";

/** Returns the subscription's identifier. Undefined if none is needed and no key was sent. Throws `PolicyFailure`. */
export type SubscriptionCheck = (call: Call, api: Pick<Api, "id" | "subscriptionRequired">) => string | undefined;

/**
 * Accepts both keys of a subscription for the APIs in its scope, even if an API requires no subscription. Rejects any other key, even for
 * such an API, as API Management does.
 */
export function subscriptionCheck(subscriptions: readonly Subscription[]): SubscriptionCheck {
  const byKey = new Map(
    subscriptions.flatMap((subscription) => [
      [subscription.primaryKey, subscription],
      [subscription.secondaryKey, subscription],
    ]),
  );
  return (call, api) => {
    const key = keyOf(call);
    if (key === undefined) {
      if (!api.subscriptionRequired) return undefined;
      throw denied("SubscriptionKeyNotFound", "missing");
    }
    const subscription = byKey.get(key);
    if (!subscription || !opens(subscription, api)) throw denied("SubscriptionKeyInvalid", "invalid");
    return subscription.id;
  };
}

const opens = ({ apis }: Subscription, { id, subscriptionRequired }: Pick<Api, "id" | "subscriptionRequired">) =>
  apis ? apis.includes(id) : subscriptionRequired;

/** The key of a call. The query is read only if there is no header. */
function keyOf({ request }: Call): string | undefined {
  const header = headerText(request.headers, HEADER);
  if (header !== undefined || !request.query.includes(QUERY_PARAMETER)) return header;
  return new URLSearchParams(request.query).get(QUERY_PARAMETER) ?? undefined;
}

const denied = (reason: string, what: string) =>
  new PolicyFailure("authorization", reason, 401, `Access denied due to ${what} subscription key.`);
