import type { Attributes } from "@opentelemetry/api";
import { isIdentifier } from "../domain/identifier.ts";

/** What a span may name, by the members of subjects and requests that hold it. */
const attributeOf: Readonly<Record<string, string>> = {
  partnerId: "payment.partner_id",
  sessionId: "payment.session_id",
  terminalId: "payment.terminal_id",
  actionRequestId: "payment.action_request_id",
  landingPageId: "payment.landing_page_id",
};

/**
 * The identifiers among the members of an object, as attributes of a span. Only the members above are read, and only what has the form of
 * an identifier is passed on, so that no key, code or address gets onto a span.
 */
export function identifiersIn(object: object): Attributes {
  const found: Attributes = {};
  for (const [member, value] of Object.entries(object)) {
    const attribute = attributeOf[member];
    if (attribute !== undefined && typeof value === "string" && isIdentifier(value)) found[attribute] = value;
  }
  return found;
}
