import type { CallContext } from "../ports/clock.ts";
import type { Partners } from "../stores/partners.ts";
import type { KeyedTerminal } from "../stores/terminals.ts";

/** The partner that sent a request, as its `apikey` proves. */
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

/** A call by a terminal, as its key proves. A use case that needs the terminal's claim, status or heartbeat reads them itself. */
export interface TerminalCall extends CallContext {
  readonly caller: TerminalCaller;
}
export interface TerminalCaller {
  readonly terminal: KeyedTerminal;
}

/** Whether the key reaches the terminal. What a key does not reach is refused as if it did not exist. */
export const reaches = (caller: Caller, terminalId: string): boolean =>
  caller.terminalIds === undefined || caller.terminalIds.includes(terminalId);

/** A key that reaches more terminals must name its target, since to read each terminal would take too long. */
export const MAX_TERMINALS = 100;

export const reachableTerminals = async (partners: Partners, caller: Caller): Promise<readonly string[]> =>
  caller.terminalIds ?? partners.terminalIds(caller.partnerId);
