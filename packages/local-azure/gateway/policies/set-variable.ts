import { compileValue } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, refuseContent } from "./shape.ts";

/** Stores a value for later policies of the same call. */
export const setVariable: Policy = {
  sections: ["inbound", "outbound", "on-error"],
  scopes: everyScope,
  compile(element) {
    const { name, value } = attributesOf(element, ["name", "value"], [], ["value"]);
    refuseContent(element);
    const read = compileValue(value, element);
    return (call) => {
      call.variables.set(name, read(call));
      return "next";
    };
  },
};
