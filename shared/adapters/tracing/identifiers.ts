import type { Attributes } from "@opentelemetry/api";
import { isIdentifier } from "../../domain/identifier.ts";

/** The identifiers that a span may have, by the members of subjects and requests that hold them. */
const attributeOf: Readonly<Record<string, string>> = {
  partnerId: "payment.partner_id",
  sessionId: "payment.session_id",
  terminalId: "payment.terminal_id",
  actionRequestId: "payment.action_request_id",
  landingPageId: "payment.landing_page_id",
};

/**
 * Returns the identifiers among an object's members, as attributes of a span. Only the members above are read, and only values with the
 * form of an identifier are returned. No key, code or address therefore gets onto a span.
 */
export function identifiersIn(object: object): Attributes {
  const found: Attributes = {};
  for (const [member, value] of Object.entries(object)) {
    const attribute = attributeOf[member];
    if (attribute !== undefined && typeof value === "string" && isIdentifier(value)) found[attribute] = value;
  }
  return found;
}
