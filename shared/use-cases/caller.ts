import type { Scope } from "../ports/partners.ts";

/** The partner behind a request, as its `apikey` proves it. */
export interface Caller {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  /** The only terminals that this key reaches; undefined for all of the partner's. */
  readonly terminalIds?: readonly string[] | undefined;
}

/** Beyond its reach a key sees nothing, as if it were not there. */
export const reaches = (caller: Caller, terminalId: string): boolean =>
  caller.terminalIds === undefined || caller.terminalIds.includes(terminalId);
