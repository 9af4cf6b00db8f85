import { holdsTerminal } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { effectiveStatus, isOnline, type ObservedTerminal } from "../../domain/terminal.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";

export type ReadTerminalStatusDeps = Needs<"payments" | "terminals" | "timings">;

/** A terminal's status, as it was set and as it is observed. A claim counts only while its payment holds the terminal. */
export async function readTerminalStatus(
  deps: ReadTerminalStatusDeps,
  { caller, now }: PartnerCall,
  idAsReceived: string,
): Promise<Result<ObservedTerminal, Refusal<"terminal_not_found">>> {
  const terminalId = idAsReceived.toLowerCase();
  if (!reaches(caller, terminalId)) {
    return refuse({ code: "terminal_not_found" });
  }
  const view = await deps.terminals.find(terminalId);
  if (view?.terminal.partnerId !== caller.partnerId) return refuse({ code: "terminal_not_found" });
  const { terminal, claim, lastSeenAt } = view;
  const holder = claim && (await deps.payments.find(claim));
  const active = holder && holdsTerminal(holder.payment.status) ? holder.payment : undefined;
  const online = isOnline(lastSeenAt, now(), deps.timings);
  return ok({
    idAsReceived: terminal.idAsReceived,
    status: effectiveStatus(terminal.status, online, active !== undefined),
    online,
    lastSeenAt,
    updatedAt: terminal.updatedAt,
    activeSessionId: active?.asReceived.sessionId,
  });
}
