import { compileText } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, refuseContent } from "./shape.ts";

/** Sets the backend to which the request is sent. */
export const setBackendService: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element) {
    const attributes = attributesOf(element, ["base-url"], [], ["base-url"]);
    refuseContent(element);
    const baseUrl = compileText(attributes["base-url"], element);
    return (call) => {
      call.backend.baseUrl = baseUrl(call);
      return "next";
    };
  },
};
