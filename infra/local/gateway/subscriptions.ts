import { headerText, PolicyFailure, type Call } from "./call.ts";

export interface Subscription {
  readonly id: string;
  readonly primaryKey: string;
  readonly secondaryKey: string;
}

const HEADER = "ocp-apim-subscription-key";
const QUERY_PARAMETER = "subscription-key";

/** Yields the subscription's identifier, or undefined where none is needed and no key was sent. Throws `PolicyFailure`. */
export type SubscriptionCheck = (call: Call, required: boolean) => string | undefined;

/** Accepts both keys of a subscription for the APIs that need one. For other APIs every key is wrong, as in API Management. */
export function subscriptionCheck(subscriptions: readonly Subscription[]): SubscriptionCheck {
  const byKey = new Map(
    subscriptions.flatMap(({ id, primaryKey, secondaryKey }) => [
      [primaryKey, id],
      [secondaryKey, id],
    ]),
  );
  return (call, required) => {
    const key = keyOf(call);
    if (key === undefined) {
      if (!required) return undefined;
      throw denied("SubscriptionKeyNotFound", "missing");
    }
    const id = required ? byKey.get(key) : undefined;
    if (id === undefined) throw denied("SubscriptionKeyInvalid", "invalid");
    return id;
  };
}

/** The query is read only where there is no header. */
function keyOf({ request }: Call): string | undefined {
  const header = headerText(request.headers, HEADER);
  if (header !== undefined || !request.query.includes(QUERY_PARAMETER)) return header;
  return new URLSearchParams(request.query).get(QUERY_PARAMETER) ?? undefined;
}

const denied = (reason: string, what: string) =>
  new PolicyFailure("authorization", reason, 401, `Access denied due to ${what} subscription key.`);
