import { PolicyFault } from "../policy-fault.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, oneOf, refuseContent } from "./shape.ts";

/** Calls the backend with another path. `{name}` is a parameter of the operation's template. */
export const rewriteUri: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  compile(element, { parameters }) {
    const attributes = attributesOf(element, ["template"], ["copy-unmatched-params"]);
    refuseContent(element);
    const { template } = attributes;
    if (!template.startsWith("/") || template.includes("?")) {
      throw new PolicyFault(element, "a template of <rewrite-uri> is understood as a path that begins with /.");
    }
    const unknown = [...template.matchAll(/\{([^}]*)\}/g)].find(([, name = ""]) => !parameters.includes(name));
    if (unknown) throw new PolicyFault(element, `${unknown[0]} is no parameter of the operation's template.`);
    const keepsQuery = oneOf(attributes["copy-unmatched-params"] ?? "true", element, ["true", "false"]) === "true";
    return (call) => {
      call.backend.path = template.replaceAll(/\{([^}]*)\}/g, (_, name: string) => call.parameters.get(name) ?? "");
      if (!keepsQuery) call.backend.query = "";
      return "next";
    };
  },
};
