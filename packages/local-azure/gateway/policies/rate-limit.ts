import { PolicyFailure, type Call } from "../call.ts";
import { PolicyFault } from "../policy-fault.ts";
import type { PolicyElement } from "../policy-xml.ts";
import { compileCondition, compileText } from "../templates.ts";
import { everyScope, type Policy, type Surroundings } from "./policy.ts";
import { attributesOf, integerOf, refuseContent } from "./shape.ts";

const MAX_CALLS = 2_147_483_647;
const LONGEST_WINDOW_S = 300;
const required = ["calls", "renewal-period"] as const;
const optional = ["retry-after-variable-name", "remaining-calls-variable-name"] as const;

/** Limits the calls of a subscription. A call without a subscription is not counted. */
export const rateLimit: Policy = {
  sections: ["inbound"],
  scopes: ["product", "api", "operation"],
  direct: true,
  compile(element, surroundings) {
    const limit = limitOf(element, surroundings, attributesOf(element, required, optional));
    return (call) => {
      // Each definition has its own counter, which all operations that inherit it share.
      if (call.subscriptionId !== undefined) limit(call, `${element.file}:${element.line} ${call.subscriptionId}`);
      return "next";
    };
  },
};

/**
 * Limits calls by a key. All policies with the same key share one counter, so they need the same numbers. With different numbers, says the
 * reference, the v2 tiers of API Management are unpredictable.
 * With an `increment-condition`, a call is counted at the end of outbound, if the condition is then true. So a call that fails on its way
 * is not counted.
 */
export const rateLimitByKey: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element, surroundings) {
    const computed = ["counter-key", "increment-condition"] as const;
    const attributes = attributesOf(element, [...required, computed[0]], [...optional, computed[1]], computed);
    const { "increment-condition": condition } = attributes;
    const isCounted = condition === undefined ? undefined : compileCondition(condition, element);
    const limit = limitOf(element, surroundings, attributes, isCounted);
    const numbers = `${attributes.calls} calls in ${attributes["renewal-period"]} s`;
    const others = surroundings.limitsByKey.get(attributes["counter-key"]) ?? numbers;
    if (others !== numbers) {
      throw new PolicyFault(element, `<${element.name}> by this key has ${others} elsewhere, and ${numbers} here.`);
    }
    surroundings.limitsByKey.set(attributes["counter-key"], numbers);
    const key = compileText(attributes["counter-key"], element);
    return (call) => {
      limit(call, `key ${key(call)}`);
      return "next";
    };
  },
};

function limitOf(
  element: PolicyElement,
  { counters }: Surroundings,
  attributes: Readonly<Record<(typeof required)[number], string> & Partial<Record<(typeof optional)[number], string>>>,
  isCounted?: (call: Call) => boolean,
): (call: Call, key: string) => void {
  refuseContent(element);
  const calls = integerOf(attributes.calls, element, 1, MAX_CALLS);
  const windowMs = integerOf(attributes["renewal-period"], element, 1, LONGEST_WINDOW_S) * 1000;
  const { "retry-after-variable-name": waiting, "remaining-calls-variable-name": left } = attributes;
  const store = (call: Call, variable: string | undefined, value: number): void => {
    if (variable !== undefined) call.variables.set(variable, { type: "int", value });
  };
  return (call, key) => {
    const taken = counters[isCounted ? "look" : "take"](key, calls, windowMs);
    if (isCounted) call.atEnd.push(() => void (isCounted(call) && counters.take(key, calls, windowMs)));
    if ("remaining" in taken) return store(call, left, taken.remaining);
    const seconds = Math.max(1, Math.ceil(taken.waitMs / 1000));
    const failure = new PolicyFailure(
      element.name,
      "RateLimitExceeded",
      429,
      `Rate limit is exceeded. Try again in ${seconds} seconds.`,
    );
    failure.answer.headers.set("retry-after", String(seconds));
    store(call, waiting, seconds);
    throw failure;
  };
}
