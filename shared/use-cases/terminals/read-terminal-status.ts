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
  { caller, now }: PartnerCall,
  idAsReceived: string,
): Promise<Result<ObservedTerminal, Refusal<"terminal_not_found">>> {
  const terminalId = idAsReceived.toLowerCase();
  if (!reaches(caller, terminalId)) {
    return refuse({ code: "terminal_not_found" });
  }
  const [view, messages] = await Promise.all([deps.terminals.find(terminalId), deps.inboxes.unanswered(terminalId)]);
  if (view?.terminal.partnerId !== caller.partnerId) return refuse({ code: "terminal_not_found" });
  const {
    terminal,
    claim: { holder },
    lastSeenAt,
  } = view;
  const online = isOnline(lastSeenAt, now(), deps.timings);
  return ok({
    idAsReceived: terminal.idAsReceived,
    status: effectiveStatus(terminal.status, online, holder !== undefined),
    online,
    lastSeenAt,
    updatedAt: terminal.updatedAt,
    activeSessionId: holder?.asReceived,
    waiting: messages.filter(isWaitingMovement).length,
  });
}
