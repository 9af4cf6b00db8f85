import { headerText, PolicyFailure } from "../call.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, integerOf, oneOf, refuseContent } from "./shape.ts";

/** Azure allows more only on request. */
const LARGEST_BYTES = 102_400;

/**
 * Checks the size, by Content-Length, and the type, against the operation's declaration. `<content>`, which would check the body against
 * the imported schema, is not supported. Both failures have the same source and reason, as in Azure.
 */
export const validateContent: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element) {
    const attributes = attributesOf(element, ["unspecified-content-type-action", "max-size", "size-exceeded-action"]);
    refuseContent(element);
    const prevents = (action: string) => oneOf(action, element, ["prevent", "ignore"]) === "prevent";
    const checksType = prevents(attributes["unspecified-content-type-action"]);
    const checksSize = prevents(attributes["size-exceeded-action"]);
    const maxBytes = integerOf(attributes["max-size"], element, 1, LARGEST_BYTES);
    return ({ request: { headers }, operation }) => {
      const bytes = Number(headerText(headers, "content-length") ?? 0);
      if (checksSize && bytes > maxBytes) {
        throw invalid(`Request's body is ${bytes} bytes long and it exceeds the limit of ${maxBytes} bytes.`);
      }
      const type = headerText(headers, "content-type")?.split(";")[0]?.trim().toLowerCase();
      if (checksType && type !== operation?.contentType) throw invalid("Unspecified content type is not allowed.");
      return "next";
    };
  },
};

const invalid = (message: string) => new PolicyFailure("validate-content", "Bad request", 400, message);
