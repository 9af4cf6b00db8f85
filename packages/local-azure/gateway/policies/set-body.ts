import { compileText } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { textOf } from "./shape.ts";

/** Replaces the body. It is not allowed in on-error, except inside `return-response`. */
export const setBody: Policy = {
  sections: ["inbound", "outbound"],
  scopes: everyScope,
  compile(element, { message }) {
    const body = compileText(textOf(element), element);
    return (call) => {
      const changed = message === "request" ? call.request : call.answer;
      if (changed) changed.body = body(call);
      return "next";
    };
  },
};
