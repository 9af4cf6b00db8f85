import type { CallContext } from "../ports/clock.ts";
import type { Partners } from "../stores/partners.ts";
import type { KeyedTerminal } from "../stores/terminals.ts";

/** The partner that sent a request, proven by its `apikey`. */
export interface Caller {
  readonly partnerId: string;
  readonly keyId: string;
  /** The only terminals that this key reaches; undefined for all terminals of the partner. */
  readonly terminalIds?: readonly string[] | undefined;
}

/** A call by a partner. */
export interface PartnerCall extends CallContext {
  readonly caller: Caller;
}

/** A call by a terminal, proven by its key. A use case that needs the terminal's claim, status or heartbeat reads it itself. */
export interface TerminalCall extends CallContext {
  readonly caller: TerminalCaller;
}
export interface TerminalCaller {
  readonly terminal: KeyedTerminal;
}

/**
 * Whether the key reaches the terminal. Use cases refuse anything out of the key's reach as if it did not exist. An undefined terminal
 * stands for something of the whole partner, which only a key for all terminals reaches.
 */
export const reaches = ({ terminalIds }: Caller, terminalId: string | undefined): boolean =>
  terminalIds === undefined || (terminalId !== undefined && terminalIds.includes(terminalId));

/** If a key reaches more terminals than this, its request must name the target. Reading every terminal would take too long. */
export const MAX_TERMINALS = 100;

export const reachableTerminals = async (partners: Partners, caller: Caller): Promise<readonly string[]> =>
  caller.terminalIds ?? partners.terminalIds(caller.partnerId);
