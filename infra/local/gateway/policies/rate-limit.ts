import { PolicyFailure } from "../call.ts";
import type { PolicyElement } from "../policy-xml.ts";
import { compileText } from "../templates.ts";
import { everyScope, type Policy, type Surroundings } from "./policy.ts";
import { attributesOf, integerOf, refuseContent } from "./shape.ts";

const MAX_CALLS = 2_147_483_647;
const LONGEST_WINDOW_S = 300;

/** Limits the calls of a subscription. A call without one is not counted. */
export const rateLimit: Policy = {
  sections: ["inbound"],
  scopes: ["product", "api", "operation"],
  direct: true,
  compile(element, surroundings) {
    const limit = limitOf(element, surroundings, attributesOf(element, ["calls", "renewal-period"]));
    return ({ subscriptionId }) => {
      // Each definition has its own counter, which all operations that inherit it share.
      if (subscriptionId !== undefined) limit(`${element.file}:${element.line} ${subscriptionId}`);
      return "next";
    };
  },
};

/** Limits calls by a key. All policies that count by a key share its one counter. */
export const rateLimitByKey: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element, surroundings) {
    const attributes = attributesOf(element, ["calls", "renewal-period", "counter-key"]);
    const limit = limitOf(element, surroundings, attributes);
    const key = compileText(attributes["counter-key"], element);
    return (call) => {
      limit(`key ${key(call)}`);
      return "next";
    };
  },
};

function limitOf(
  element: PolicyElement,
  { counters }: Surroundings,
  attributes: { readonly calls: string; readonly "renewal-period": string },
): (key: string) => void {
  refuseContent(element);
  const calls = integerOf(attributes.calls, element, 1, MAX_CALLS);
  const windowMs = integerOf(attributes["renewal-period"], element, 1, LONGEST_WINDOW_S) * 1000;
  return (key) => {
    const waitMs = counters.take(key, calls, windowMs);
    if (waitMs === undefined) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const failure = new PolicyFailure(
      element.name,
      "RateLimitExceeded",
      429,
      `Rate limit is exceeded. Try again in ${seconds} seconds.`,
    );
    failure.answer.headers.set("retry-after", String(seconds));
    throw failure;
  };
}
