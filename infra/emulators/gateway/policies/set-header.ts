import { validateHeaderName, validateHeaderValue } from "node:http";
import { headerOf, type Headers } from "../call.ts";
import { EvaluationError } from "../expressions/compiled.ts";
import { PolicyFault } from "../policy-fault.ts";
import type { PolicyElement } from "../policy-xml.ts";
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
    const { name: spelled, ...rest } = attributesOf(element, ["name"], ["exists-action"]);
    const action = oneOf(rest["exists-action"] ?? "override", element, ["override", "skip", "append", "delete"]);
    const name = spelled.toLowerCase();
    if (untouchable.includes(name)) throw new PolicyFault(element, `API Management does not let ${spelled} be set.`);
    refuseBadName(spelled, element);
    const values = textsOf(element, "value").map((value) => compileText(value.text, value));
    if ((values.length === 0) !== (action === "delete")) {
      throw new PolicyFault(element, "<set-header> has values, or deletes.");
    }
    return (call) => {
      const headers = message === "request" ? call.request.headers : call.answer?.headers;
      if (headers) change(headers, name, action, () => values.map((value) => sendable(name, value(call))));
      return "next";
    };
  },
};

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

function refuseBadName(name: string, element: PolicyElement): void {
  try {
    validateHeaderName(name);
  } catch {
    throw new PolicyFault(element, `${JSON.stringify(name)} is no name of a header.`);
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
