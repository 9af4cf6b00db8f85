import type { Refusal } from "../../domain/refusal.ts";
import { refuse, type Result } from "../../domain/result.ts";
import type { ObservedTerminal, SettableStatus } from "../../domain/terminal.ts";
import { reachableTerminals, reaches, type Caller, type PartnerCall } from "../caller.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { readTerminalStatus, type ReadTerminalStatusDeps } from "./read-terminal-status.ts";
import type { Needs } from "../needs.ts";

export type SetTerminalStatusDeps = ReadTerminalStatusDeps & Needs<"partners">;

/**
 * Sets a terminal's status. In any status but `available` the terminal refuses new payments and finishes the running one. If no terminal is
 * named, the target is the only terminal that the key reaches.
 */
export async function setTerminalStatus(
  deps: SetTerminalStatusDeps,
  call: PartnerCall,
  status: SettableStatus,
  named: string | undefined,
): Promise<Result<ObservedTerminal, Refusal<"terminal_not_found" | "target_required">>> {
  const { caller } = call;
  const target = named?.toLowerCase() ?? (await onlyTerminal(deps, caller));
  if (target === undefined) {
    return refuse({
      code: "target_required",
      detail: "This key has access to more than one terminal. Send the pointOfServiceID.",
    });
  }
  return retryOnConflict(async () => {
    const view = reaches(caller, target) ? await deps.terminals.find(target) : undefined;
    if (view?.terminal.partnerId !== caller.partnerId) return refuse({ code: "terminal_not_found" });
    if (view.terminal.status !== status) {
      await deps.terminals.save({ ...view.terminal, status, updatedAt: call.now() }, view.etag);
    }
    return readTerminalStatus(deps, call, target);
  });
}

async function onlyTerminal(deps: SetTerminalStatusDeps, caller: Caller): Promise<string | undefined> {
  const reachable = await reachableTerminals(deps.partners, caller);
  return reachable.length === 1 ? reachable[0] : undefined;
}
