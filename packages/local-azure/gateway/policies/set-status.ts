import { isReason } from "../call.ts";
import { PolicyFault } from "../policy-fault.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, integerOf, refuseContent } from "./shape.ts";

/** Sets the response's status. */
export const setStatus: Policy = {
  sections: ["outbound", "on-error"],
  scopes: everyScope,
  compile(element) {
    const { code, reason } = attributesOf(element, ["code", "reason"]);
    refuseContent(element);
    const status = integerOf(code, element, 200, 599);
    if (!isReason(reason)) throw new PolicyFault(element, `${JSON.stringify(reason)} is no reason phrase.`);
    return ({ answer }) => {
      if (answer) Object.assign(answer, { status, reason });
      return "next";
    };
  },
};
