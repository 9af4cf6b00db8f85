import { isIdentifier } from "../../domain/identifier.ts";
import { canonical } from "../../contracts/identifier.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { ScopeNames } from "../../ports/log.ts";

/** The members of paths, bodies and reports that hold an identifier, and their names in the log. */
const members = {
  session_id: "session",
  sessionId: "session",
  point_of_service_id: "terminal",
  terminalId: "terminal",
  chargeId: "chargeID",
  refundId: "refundID",
  action_request_id: "actionRequest",
  actionRequestId: "actionRequest",
  landing_page_id: "landingPage",
  landingPageId: "landingPage",
} as const satisfies Readonly<Record<string, keyof ScopeNames>>;

/** The key or user that proved the caller. Empty for a terminal, because its key has the terminal's own identifier. */
export function proofOf(caller: unknown): Pick<CallContext, "keyId" | "user"> {
  const { keyId, user } = membersOf(caller);
  return typeof keyId === "string" ? { keyId } : typeof user === "string" ? { user } : {};
}

/** The proven caller under the log's names: a partner and its key, a terminal with its partner, or the user of a consumer's call. */
export function namesOfCaller(caller: unknown): ScopeNames {
  const { terminal, partnerId } = membersOf(caller);
  const owner = terminal === undefined ? { partnerId } : membersOf(terminal);
  const { keyId: key, user } = proofOf(caller);
  return { ...textOf("partner", owner["partnerId"]), ...textOf("terminal", owner["terminalId"]), key, user };
}

/** The names in a call's path, body or report, for the log. Only identifiers are used, in their stored form. */
export function namesOfCall(params: Readonly<Record<string, string>>, body: unknown): ScopeNames {
  const sent = membersOf(body);
  const given = { ...params, ...sent, ...membersOf(sent["report"]) };
  const names: Partial<Record<keyof ScopeNames, string>> = {};
  for (const [member, name] of Object.entries(members)) Object.assign(names, textOf(name, given[member]));
  return names;
}

const textOf = (name: keyof ScopeNames, value: unknown): ScopeNames =>
  typeof value === "string" && isIdentifier(value) ? { [name]: canonical(value) } : {};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
