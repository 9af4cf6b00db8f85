import type { Attributes } from "@opentelemetry/api";
import { isIdentifier } from "../domain/identifier.ts";

/** What a span may name, by the members that hold it: in callers, in bodies as they are read, in paths and in subjects. */
const attributeOf: Readonly<Record<string, string>> = {
  partnerId: "payment.partner_id",
  sessionId: "payment.session_id",
  session_id: "payment.session_id",
  terminalId: "payment.terminal_id",
  point_of_service_id: "payment.terminal_id",
  actionRequestId: "payment.action_request_id",
  action_request_id: "payment.action_request_id",
  landingPageId: "payment.landing_page_id",
  landing_page_id: "payment.landing_page_id",
};

/**
 * The identifiers among the members of these objects, as attributes of a span. Only the members above are read, and only what has the form
 * of an identifier is passed on, so that no key, code or address gets onto a span, whatever a caller sends.
 */
export function identifiersIn(...objects: readonly unknown[]): Attributes {
  const found: Attributes = {};
  for (const object of objects) {
    for (const [member, value] of Object.entries(Object(object) as object)) {
      const attribute = attributeOf[member];
      if (attribute !== undefined && typeof value === "string" && isIdentifier(value)) found[attribute] = value;
    }
  }
  return found;
}
