import type { ObservedTerminal, TerminalStatus } from "../../domain/terminal.ts";
import type { Partners } from "../../stores/partners.ts";
import type { Caller, PartnerCall } from "../caller.ts";
import { AT_ONCE } from "../each-of.ts";
import { observeTerminal, type ReadTerminalStatusDeps } from "./read-terminal-status.ts";

export interface ListTerminalsDeps extends ReadTerminalStatusDeps {
  readonly partners: Pick<Partners, "terminalsAfter">;
}

export interface TerminalQuery {
  readonly merchantId?: string | undefined;
  readonly status?: TerminalStatus | undefined;
}

export interface TerminalPage {
  readonly terminals: readonly ObservedTerminal[];
  /** The terminal after which the next page begins. Undefined if there is no next page. */
  readonly next: string | undefined;
}

/** The terminals that a page may read in addition to those that it shows. This limits the cost of a filter. */
const MOST_LEFT_OUT = 20;
/** Each terminal is two table calls. */
const TERMINALS_AT_ONCE = AT_ONCE / 2;

/**
 * A page of the terminals that the caller's key reaches, in the order of their identifiers. Retired ones are left out. Merchant and status are
 * known only when a terminal is read, and a page reads at most `limit` + 20. So it may be short, or empty, while there is a next page.
 *
 * @param page the limit of terminals, and the terminal after which the page begins
 */
export async function listTerminals(
  deps: ListTerminalsDeps,
  call: PartnerCall,
  { merchantId, status }: TerminalQuery,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<TerminalPage> {
  const most = limit + MOST_LEFT_OUT;
  const listed = await listedAfter(deps.partners, call.caller, after, most);
  const isWanted = (found: ObservedTerminal | undefined): found is ObservedTerminal =>
    found !== undefined &&
    (merchantId === undefined || found.merchantId === merchantId) &&
    (status === undefined || found.status === status);
  const terminals: ObservedTerminal[] = [];
  let looked = 0;
  while (looked < listed.length && terminals.length < limit) {
    const some = listed.slice(looked, looked + Math.min(TERMINALS_AT_ONCE, limit - terminals.length));
    const inService = some.filter(({ isRetired }) => !isRetired);
    const found = await Promise.all(inService.map(({ terminalId }) => observeTerminal(deps, call, terminalId)));
    terminals.push(...found.filter(isWanted));
    looked += some.length;
  }
  const isMore = looked < listed.length || listed.length === most;
  return { terminals, next: isMore ? listed[looked - 1]?.terminalId : undefined };
}

/** At most `most` terminals that the key may reach, with those that are retired. */
async function listedAfter(
  partners: ListTerminalsDeps["partners"],
  caller: Caller,
  after: string | undefined,
  most: number,
) {
  const { partnerId, terminalIds } = caller;
  if (!terminalIds) return partners.terminalsAfter(partnerId, after, most);
  const following = [...new Set(terminalIds)].filter((id) => after === undefined || id > after).toSorted();
  return following.slice(0, most).map((terminalId) => ({ terminalId, isRetired: false }));
}
