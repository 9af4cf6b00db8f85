import { compileCondition } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, integerOf, oneOf } from "./shape.ts";

const MOST_RETRIES = 50;

/** Runs its content once, and again at once while the condition holds, at most `count` times more. It never waits between two runs. */
export const retry: Policy = {
  sections: ["inbound", "outbound", "on-error"],
  scopes: everyScope,
  compile(element, surroundings) {
    const { condition, count, interval } = attributesOf(element, ["condition", "count", "interval"], [], ["condition"]);
    const again = compileCondition(condition, element);
    const retries = integerOf(count, element, 1, MOST_RETRIES);
    oneOf(interval, element, ["0"]);
    const runOnce = surroundings.compile(element.children);
    return async (call) => {
      for (let left = retries; ; left--) {
        if ((await runOnce(call)) === "answered") return "answered";
        if (left === 0 || !again(call)) return "next";
      }
    };
  },
};
