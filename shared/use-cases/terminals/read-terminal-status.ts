import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { isWaitingMovement } from "../../domain/terminal-inbox.ts";
import { effectiveStatus, isOnline, type ObservedTerminal } from "../../domain/terminal.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";

export type ReadTerminalStatusDeps = Needs<"inboxes" | "terminals" | "timings">;

/** A terminal's status, as it was set and as it is observed. */
export async function readTerminalStatus(
  deps: ReadTerminalStatusDeps,
  call: PartnerCall,
  idAsReceived: string,
): Promise<Result<ObservedTerminal, Refusal<"terminal_not_found">>> {
  const terminalId = idAsReceived.toLowerCase();
  const observed = reaches(call.caller, terminalId) ? await observeTerminal(deps, call, terminalId) : undefined;
  return observed ? ok(observed) : refuse({ code: "terminal_not_found" });
}

/** One of the caller's terminals, in two table calls. Undefined if it is not the caller's. */
export async function observeTerminal(
  deps: ReadTerminalStatusDeps,
  { caller, now }: PartnerCall,
  terminalId: string,
): Promise<ObservedTerminal | undefined> {
  const [view, messages] = await Promise.all([deps.terminals.find(terminalId), deps.inboxes.unanswered(terminalId)]);
  if (view?.terminal.partnerId !== caller.partnerId) return undefined;
  const { terminal, claim, lastSeenAt, batteryPercent, described } = view;
  const { idAsReceived, name, merchantId, merchantName, updatedAt } = terminal;
  const online = isOnline(lastSeenAt, now(), deps.timings);
  return {
    idAsReceived,
    name,
    merchantId,
    merchantName,
    status: effectiveStatus(terminal.status, online, claim.holder !== undefined),
    online,
    lastSeenAt,
    updatedAt,
    activeSessionId: claim.holder?.asReceived,
    waiting: messages.filter(isWaitingMovement).length,
    described,
    batteryPercent,
  };
}
