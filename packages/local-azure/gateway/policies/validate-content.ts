import { headerText, PolicyFailure, type Call } from "../call.ts";
import { everyScope, type Outcome, type Policy } from "./policy.ts";
import { attributesOf, integerOf, oneOf, refuseContent } from "./shape.ts";

/** Azure allows more only on request. */
const LARGEST_BYTES = 102_400;

/**
 * Checks the size and the type of a body against the operation's declaration. A body without a Content-Length is read, up to the size that
 * the gateway holds, and a later policy may use it. `<content>` is not supported, because it would check the body against the imported
 * schema. Both failures have the same source and reason, as in Azure. `detect` lets the request continue, and sets a variable.
 */
export const validateContent: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element, { countsDeclaredLengthOnly }) {
    const attributes = attributesOf(
      element,
      ["unspecified-content-type-action", "max-size", "size-exceeded-action"],
      ["errors-variable-name"],
    );
    refuseContent(element);
    const checksType =
      oneOf(attributes["unspecified-content-type-action"], element, ["prevent", "ignore"]) === "prevent";
    const onSize = oneOf(attributes["size-exceeded-action"], element, ["prevent", "detect", "ignore"]);
    const errors = attributes["errors-variable-name"];
    const maxBytes = integerOf(attributes["max-size"], element, 1, LARGEST_BYTES);
    return async ({ request, operation, variables }): Promise<Outcome> => {
      const { headers } = request;
      const bytes = onSize === "ignore" ? 0 : await bytesOf(request, countsDeclaredLengthOnly);
      if (bytes > maxBytes) {
        const message = `Request's body is ${bytes} bytes long and it exceeds the limit of ${maxBytes} bytes.`;
        if (onSize === "prevent") throw invalid(message);
        if (errors !== undefined) variables.set(errors, { type: "object", value: message });
      }
      const type = headerText(headers, "content-type")?.split(";")[0]?.trim().toLowerCase();
      if (checksType && type !== operation?.contentType) throw invalid("Unspecified content type is not allowed.");
      return "next";
    };
  },
};

/** The declared length, or the actual length if none is declared. Infinity if the body is longer than the gateway holds. */
async function bytesOf({ headers, read }: Call["request"], countsDeclaredLengthOnly: boolean): Promise<number> {
  const declared = headerText(headers, "content-length");
  if (declared !== undefined) return Number(declared);
  const content = await read();
  return countsDeclaredLengthOnly ? 0 : (content?.byteLength ?? Infinity);
}

const invalid = (message: string) => new PolicyFailure("validate-content", "Bad request", 400, message);
