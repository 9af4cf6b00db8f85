import type { CallContext } from "../../ports/clock.ts";
import type { Partners } from "../../ports/partners.ts";
import type { KeyedTerminal } from "../../ports/terminals.ts";

/** The partner behind a request, as its `apikey` proves it. */
export interface Caller {
  readonly partnerId: string;
  readonly keyId: string;
  /** The only terminals that this key reaches; undefined for all of the partner's. */
  readonly terminalIds?: readonly string[] | undefined;
}

/** A call by a partner. */
export interface PartnerCall extends CallContext {
  readonly caller: Caller;
}

/** A call by a terminal, which its key proved. Who needs its claim, its status or its heartbeat reads them anew. */
export interface TerminalCall extends CallContext {
  readonly caller: TerminalCaller;
}
export interface TerminalCaller {
  readonly terminal: KeyedTerminal;
}

/** Beyond its reach a key sees nothing, as if it were not there. */
export const reaches = (caller: Caller, terminalId: string): boolean =>
  caller.terminalIds === undefined || caller.terminalIds.includes(terminalId);

/** With more terminals than this a request must name its target: looking at each would take too long. */
export const MAX_TERMINALS = 100;

export const reachableTerminals = async (partners: Partners, caller: Caller): Promise<readonly string[]> =>
  caller.terminalIds ?? partners.terminalIds(caller.partnerId);
