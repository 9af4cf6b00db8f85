import type { Terminal } from "../../shared/domain/terminal.ts";
import type { CallContext, Clock, NewId } from "../../shared/ports/clock.ts";
import type { Caller, PartnerCall, TerminalCall } from "../../shared/use-cases/caller.ts";

/** What a call takes its time and its identifiers from. */
interface Machine {
  readonly clock: Pick<Clock, "now">;
  readonly newId: NewId;
}

/** A call that no request led to, as a worker's. */
export const aCall = ({ clock, newId }: Machine): CallContext => ({ now: clock.now, newId });

/** A call by a partner's key. */
export const callOf = (machine: Machine, caller: Caller): PartnerCall => ({ ...aCall(machine), caller });

/** A call by a terminal, as its key proved it. */
export const callFrom = (machine: Machine, terminal: Terminal): TerminalCall => ({
  ...aCall(machine),
  caller: { terminal },
});
