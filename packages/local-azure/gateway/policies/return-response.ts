import { emptyAnswer } from "../call.ts";
import { PolicyFault } from "../policy-fault.ts";
import { everyScope, type Outcome, type Policy } from "./policy.ts";
import { setBody } from "./set-body.ts";
import { setHeader } from "./set-header.ts";
import { setStatus } from "./set-status.ts";
import { attributesOf, childrenOf } from "./shape.ts";

const parts = new Map<string, Policy>([
  ["set-status", setStatus],
  ["set-header", setHeader],
  ["set-body", setBody],
]);

/** Responds at once and drops an earlier response. Outbound does not run afterwards. */
export const returnResponse: Policy = {
  sections: ["inbound", "outbound", "on-error"],
  scopes: everyScope,
  compile(element, surroundings) {
    attributesOf(element, []);
    const steps = childrenOf(element, [...parts.keys()]).map((child) => {
      const part = parts.get(child.name);
      if (!part) throw new PolicyFault(child, `<${child.name}> inside <return-response> is not understood.`);
      return part.compile(child, { ...surroundings, message: "answer" });
    });
    return async (call): Promise<Outcome> => {
      call.answer = emptyAnswer(200, "OK");
      for (const step of steps) await step(call);
      return "answered";
    };
  },
};
