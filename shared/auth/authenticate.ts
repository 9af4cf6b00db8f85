import type { HttpRequest } from "@azure/functions";
import type { Problem } from "../contracts/objects/problem.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import type { Instant } from "../domain/time.ts";
import type { Partners, Scope } from "../ports/partners.ts";
import type { Terminals, TerminalView } from "../ports/terminals.ts";
import type { Caller } from "../use-cases/auth/caller.ts";
import { isSecret, parseKey, type Peppers } from "./credentials.ts";

export const API_KEY_PREFIX = "pk";
export const TERMINAL_KEY_PREFIX = "tk";

/** The partner is known from the `apikey` alone. A missing, unknown, expired or wrong key is one and the same 401. */
export async function authenticatePartner(
  request: HttpRequest,
  scope: Scope,
  deps: { readonly partners: Partners; readonly peppers: Peppers; readonly now: Instant },
): Promise<Result<Caller, Problem>> {
  const presented = parseKey(request.headers.get("apikey"), API_KEY_PREFIX);
  if (!presented) return refuse({ code: "invalid_credentials" });
  const key = await deps.partners.findKey(presented.keyId);
  const proven = isSecret(presented.secret, key, deps.peppers);
  if (!key || !proven || (key.expiresAt !== undefined && key.expiresAt <= deps.now)) {
    return refuse({ code: "invalid_credentials" });
  }
  if (!key.scopes.includes(scope)) return refuse({ code: "forbidden", detail: `The key lacks the scope ${scope}.` });
  return ok({ partnerId: key.partnerId, keyId: key.keyId, scopes: key.scopes, terminalIds: key.terminalIds });
}

/** A terminal proves itself with `x-terminal-key`; the key's identifier is the terminal's own, without dashes. */
export async function authenticateTerminal(
  request: HttpRequest,
  deps: { readonly terminals: Terminals; readonly peppers: Peppers },
): Promise<Result<TerminalView, Problem>> {
  const presented = parseKey(request.headers.get("x-terminal-key"), TERMINAL_KEY_PREFIX);
  if (!presented) return refuse({ code: "invalid_credentials" });
  const dashed = presented.keyId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  const view = await deps.terminals.find(dashed);
  const stored = view && { hash: view.terminal.keyHash, pepperId: view.terminal.pepperId };
  return isSecret(presented.secret, stored, deps.peppers) && view ? ok(view) : refuse({ code: "invalid_credentials" });
}
