import type { Terminal } from "../../shared/domain/terminal.ts";
import type { CallContext, Clock, NewId } from "../../shared/ports/clock.ts";
import type { Caller, PartnerCall, TerminalCall } from "../../shared/use-cases/caller.ts";

/** The source of a call's time and identifiers. */
interface Machine {
  readonly clock: Pick<Clock, "now">;
  readonly newId: NewId;
}

/** A call without a request, such as a worker's. */
export const aCall = ({ clock, newId }: Machine): CallContext => ({ now: clock.now, newId });

/** A call by a partner's key. */
export const callOf = (machine: Machine, caller: Caller): PartnerCall => ({
  ...aCall(machine),
  keyId: caller.keyId,
  caller,
});

/** A call by a terminal that its key has authenticated. */
export const callFrom = (machine: Machine, terminal: Terminal): TerminalCall => ({
  ...aCall(machine),
  caller: { terminal },
});
