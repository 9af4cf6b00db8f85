import type { SettlementPage } from "../../contracts/objects/settlement.ts";
import { closingOf, linesOfPage, sumOf, totalsOf } from "../../domain/booking.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Day } from "../../domain/time.ts";
import type { DayTerminal } from "../../stores/partner-days.ts";
import { reaches, type Caller, type PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";
import { readPlace, writePlace } from "./settlement-cursor.ts";
import { linesFrom } from "./settlement-lines.ts";

export type ReadSettlementDeps = Needs<"bookings" | "partnerDays">;

/** The lines that a reader wants. Identifiers are in lower case. */
export interface SettlementQuery {
  readonly date: Day;
  readonly merchantId?: string | undefined;
  readonly terminalId?: string | undefined;
}

/** The page that a reader wants. Without either member it is the whole settlement. */
export interface Paging {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * A page of a partner's day, for the terminals that the key and the query reach, in the order of terminals, sessions and sequences. The
 * pages of a closed day never change. Its totals are stored, and each page has them. A day without stored totals has them on its last page:
 * those of the lines of all its pages. A settlement above 5,000 lines is read by pages. Writes nothing. Throws `Unavailable`.
 */
export async function readSettlement(
  deps: ReadSettlementDeps,
  { caller, now }: Pick<PartnerCall, "caller" | "now">,
  query: SettlementQuery,
  { after, limit }: Paging,
): Promise<Result<SettlementPage, Refusal<"validation_failed">>> {
  const filters = { ...query, terminalIds: caller.terminalIds };
  const from = readPlace(after, filters);
  if (!from) return refuse(invalidField("after", "invalid", OTHER_LIST));
  const { terminals, stored, ...day } = await dayFor(deps, { caller, now }, query);
  const isWhole = after === undefined && limit === undefined;
  const most = limit ?? linesOfPage[isWhole ? "most" : "usual"];
  const { lines, end } = await linesFrom(deps, { ...query, terminals }, from, { most, isWhole });
  if (isWhole && end) return refuse(invalidField("limit", "required", TOO_MANY));
  const page = { ...day, bookings: lines, isFirst: after === undefined };
  const totals = stored ?? sumOf([...from.totals, ...totalsOf(lines)]);
  if (!end) return ok({ ...page, totals, next: undefined });
  return ok({ ...page, totals: stored, next: writePlace({ ...end, totals: stored ? [] : totals }, filters) });
}

const OTHER_LIST = "must be the `next` of an earlier page with the same date, filters and terminals";
const TOO_MANY = `must be given: the settlement has more than ${linesOfPage.most} lines. Follow \`next\` from page to page`;

/** The day, with the terminals that key and query reach, and with their totals if these are stored. */
async function dayFor(
  { partnerDays }: ReadSettlementDeps,
  { caller, now }: Pick<PartnerCall, "caller" | "now">,
  query: SettlementQuery,
) {
  const { date } = query;
  const key = { partnerId: caller.partnerId, day: date };
  const read = await partnerDays.find(key);
  const terminals = ofMerchant(await partnerDays.terminals(key, reachOf(caller, query)), query);
  if (read?.state !== "closed") {
    // A day that is long past without a row has no bookings, and gets none.
    const isClosed = read === undefined && closingOf(date, now()) === "nothing";
    return { date, isClosed, terminals, stored: undefined };
  }
  const stored = read.totals && sumOf(terminals.flatMap(({ totals = [] }) => totals));
  return { date, isClosed: true, closedAt: read.closedAt, terminals, stored };
}

/** The terminals that key and query name. Undefined for all terminals of the partner. */
function reachOf(caller: Caller, { terminalId }: SettlementQuery): readonly string[] | undefined {
  if (terminalId === undefined) return caller.terminalIds;
  return reaches(caller, terminalId) ? [terminalId] : [];
}

/** The terminals that may have lines of the merchant. A terminal never changes its merchant. */
const ofMerchant = (
  terminals: readonly DayTerminal[],
  { merchantId: wanted }: SettlementQuery,
): readonly DayTerminal[] =>
  terminals.filter(({ merchantId = wanted }) => wanted === undefined || merchantId === wanted);
