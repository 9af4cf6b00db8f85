import { validateHeaderName, validateHeaderValue } from "node:http";
import { headerOf, type Headers } from "../call.ts";
import { EvaluationError } from "../expressions/compiled.ts";
import { PolicyFault } from "../policy-fault.ts";
import { compileText } from "../templates.ts";
import { everyScope, type Policy } from "./policy.ts";
import { attributesOf, oneOf, textsOf } from "./shape.ts";

/** Headers that API Management reserves. */
const untouchable = ["connection", "content-length", "keep-alive", "transfer-encoding"];

/** Sets, extends or removes a header. In inbound it is the request's header, otherwise the response's. */
export const setHeader: Policy = {
  sections: ["inbound", "outbound", "on-error"],
  scopes: everyScope,
  compile(element, { message }) {
    const { name: spelled, ...rest } = attributesOf(element, ["name"], ["exists-action"], ["name"]);
    const action = oneOf(rest["exists-action"] ?? "override", element, ["override", "skip", "append", "delete"]);
    const isComputed = spelled.startsWith("@");
    const fault = isComputed ? undefined : faultOf(spelled);
    if (fault !== undefined) throw new PolicyFault(element, fault);
    const nameOf = compileText(spelled, element);
    const values = textsOf(element, "value").map((value) => compileText(value.text, value));
    if ((values.length === 0) !== (action === "delete")) {
      throw new PolicyFault(element, "<set-header> has values, or deletes.");
    }
    return (call) => {
      const name = nameOf(call).toLowerCase();
      if (isComputed) refuseName(name);
      const headers = message === "request" ? call.request.headers : call.answer?.headers;
      if (headers) change(headers, name, action, () => values.map((value) => sendable(name, value(call))));
      return "next";
    };
  },
};

/** API Management fails at a computed name that is not a header's, or that it reserves. */
function refuseName(name: string): void {
  const fault = faultOf(name);
  if (fault !== undefined) throw new EvaluationError(fault);
}

function change(
  headers: Headers,
  name: string,
  action: "override" | "skip" | "append" | "delete",
  values: () => readonly string[],
): void {
  const existing = headers.get(name);
  if (action === "delete") headers.delete(name);
  else if (action === "override" || existing === undefined) headers.set(name, headerOf(name, values()));
  else if (action === "append") headers.set(name, headerOf(name, [existing, ...values()].flat()));
}

/** The reason why no policy may set a header of this name. */
function faultOf(name: string): string | undefined {
  if (untouchable.includes(name.toLowerCase())) return `API Management does not let ${name} be set.`;
  try {
    validateHeaderName(name);
    return undefined;
  } catch {
    return `${JSON.stringify(name)} is no name of a header.`;
  }
}

/** Returns the value. Throws if it cannot be sent, so that the failure is in this policy and not when the message is written. */
function sendable(name: string, value: string): string {
  try {
    validateHeaderValue(name, value);
    return value;
  } catch {
    throw new EvaluationError(`a value that is no header's: ${name}`);
  }
}
