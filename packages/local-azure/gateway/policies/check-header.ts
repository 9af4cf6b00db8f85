import { headerText, PolicyFailure } from "../call.ts";
import { compileText } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, integerOf, oneOf, textsOf } from "./shape.ts";

/** Requires that the request has a header, with one of the listed values if any are listed. */
export const checkHeader: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element) {
    const attributes = attributesOf(element, [
      "name",
      "failed-check-httpcode",
      "failed-check-error-message",
      "ignore-case",
    ]);
    const { name, "failed-check-error-message": message } = attributes;
    const status = integerOf(attributes["failed-check-httpcode"], element, 400, 599);
    const ignoreCase = oneOf(attributes["ignore-case"], element, ["true", "false"]) === "true";
    const spelling = (text: string) => (ignoreCase ? text.toLowerCase() : text);
    const allowed = textsOf(element, "value").map((value) => compileText(value.text, value));
    return (call) => {
      const value = headerText(call.request.headers, name);
      if (!value) throw new PolicyFailure("check-header", "HeaderNotFound", status, message);
      if (allowed.length > 0 && !allowed.some((one) => spelling(one(call)) === spelling(value))) {
        throw new PolicyFailure("check-header", "HeaderValueNotAllowed", status, message);
      }
      return "next";
    };
  },
};
