import type { Refusal } from "../domain/refusal.ts";
import { refuse, type Result } from "../domain/result.ts";
import type { ObservedTerminal, SettableStatus } from "../domain/terminal.ts";
import type { Partners } from "../ports/partners.ts";
import { reachableTerminals, reaches, type Caller } from "./caller.ts";
import { again } from "./protocol/again.ts";
import { readTerminalStatus, type ReadTerminalStatus } from "./read-terminal-status.ts";

export interface SetTerminalStatus extends ReadTerminalStatus {
  readonly partners: Partners;
}

/**
 * Sets a terminal's status; anything but `available` has it refuse new payments and finish the running one. Without a named
 * target it is the one terminal that the key reaches.
 */
export async function setTerminalStatus(
  deps: SetTerminalStatus,
  caller: Caller,
  status: SettableStatus,
  named: string | undefined,
): Promise<Result<ObservedTerminal, Refusal>> {
  const target = named?.toLowerCase() ?? (await onlyTerminal(deps, caller));
  if (target === undefined) {
    return refuse({
      code: "target_required",
      detail: "This key reaches more than one terminal: name the pointOfServiceID.",
    });
  }
  return again(async () => {
    const view = reaches(caller, target) ? await deps.terminals.find(target) : undefined;
    if (view?.terminal.partnerId !== caller.partnerId) return refuse({ code: "terminal_not_found" });
    if (view.terminal.status !== status) {
      await deps.terminals.save({ ...view.terminal, status, updatedAt: deps.clock.now() }, view.etag);
    }
    return readTerminalStatus(deps, caller, target);
  });
}

async function onlyTerminal(deps: SetTerminalStatus, caller: Caller): Promise<string | undefined> {
  const reachable = await reachableTerminals(deps.partners, caller);
  return reachable.length === 1 ? reachable[0] : undefined;
}
