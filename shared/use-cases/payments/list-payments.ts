import type { Payment, PaymentState } from "../../domain/payment/record/payment.ts";
import { wholeDayOf, type PaymentQuery, type TimeRange } from "../../domain/payment/record/payment-query.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { after } from "../../domain/time.ts";
import type { ListedPayment, Sessions } from "../../stores/sessions.ts";
import type { Payments } from "../../stores/payments.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { AT_ONCE, eachOf } from "../each-of.ts";
import { isCreatedBy } from "./enter-session.ts";
import { readCursor, writeCursor, type Cursor } from "./list-cursor.ts";
import { pageFrom, type Page } from "./page-of-payments.ts";

export interface ListPaymentsDeps {
  readonly sessions: Pick<Sessions, "list">;
  readonly payments: Pick<Payments, "find">;
}

export interface ListedPage {
  readonly payments: readonly Payment[];
  /** The cursor of the next page; undefined if there is no next page. */
  readonly next: string | undefined;
}

/**
 * The age of an entry, by the reader's clock, from which no other entry can appear before it. An entry is written at most 20 s after its
 * `createdAt`. Then its payment is committed, and the hosts' clocks differ by some seconds.
 */
const SETTLED_SECONDS = 60;

/** The limits of one page: parts of the list, and entries of a part if the query filters. */
const MOST_PARTS = 4;
const ENTRIES_OF_PART = 500;
/** The payments that a page may read in addition to those that it shows. This limits the cost of a filter by status. */
const MOST_LEFT_OUT = 20;

/**
 * A page of the caller's payments in their present state, ordered by `createdAt`, then by session. A payment that is created or committed
 * while the pages are read is on a later page. No payment is on two pages. Payments on terminals that the key does not reach are left out.
 *
 * A page reads at most `MOST_PARTS` parts of the list and `limit` + 20 payments. So it may have fewer payments than the limit, or be empty, while
 * there is a next page.
 *
 * @param page the limit of payments, and the cursor of the page before; refused if the cursor is of another list
 */
export async function listPayments(
  deps: ListPaymentsDeps,
  call: PartnerCall,
  query: PaymentQuery,
  { limit, after: cursor }: { readonly limit: number; readonly after?: string | undefined },
): Promise<Result<ListedPage, Refusal<"validation_failed">>> {
  const { range: named, ...filters } = { ...query, partnerId: call.caller.partnerId };
  const begun = cursor === undefined ? beginning(named ?? wholeDayOf(call.now())) : readCursor(cursor, filters);
  if (!begun || (named && !isSameRange(named, begun.range)))
    return refuse(invalidField("after", "invalid", "must be `next` of a page of the same list"));
  const { range, place } = begun;
  const page = pageFrom(place, { limit, settledAt: after(call.now(), -SETTLED_SECONDS) });
  const isMore = await fill(deps, call, { ...query, range }, { page, payments: limit + MOST_LEFT_OUT });
  const next = isMore ? writeCursor({ range, place: page.next() }, filters) : undefined;
  return ok({ payments: page.shown, next });
}

const beginning = (range: TimeRange): Cursor => ({ range, place: { position: range.from, seen: [] } });

const isSameRange = (one: TimeRange, other: TimeRange): boolean =>
  one.from === other.from && one.before === other.before;

/** A query with a known range. */
type Ranged = PaymentQuery & { readonly range: TimeRange };

/** Fills the page from the list, part by part. Reads at most `payments` payments. Returns whether anything may be left for another page. */
async function fill(
  deps: ListPaymentsDeps,
  { caller }: PartnerCall,
  query: Ranged,
  { page, payments }: { readonly page: Page; readonly payments: number },
) {
  const { partnerId } = caller;
  const isWanted = (entry: ListedPayment) =>
    isOfQuery(entry, query) && reaches(caller, entry.terminalId) && !page.isSeen(entry);
  const isFiltered = [query.status, query.terminalId, query.merchantId, query.orderId, caller.terminalIds].some(
    Boolean,
  );
  const size = isFiltered ? ENTRIES_OF_PART : page.mostEntries;
  const budget = { payments };
  let after = page.start;
  for (let parts = 0; parts < MOST_PARTS; parts++) {
    const entries = await deps.sessions.list({ partnerId, after, before: query.range.before }, size);
    const rest = await fillFrom(deps, query, { page, entries, isWanted, budget });
    if (entries.length < size) return rest.some(isWanted);
    if (rest.length > 0 || page.room() === 0 || budget.payments === 0) return true;
    after = entries.at(-1)?.position ?? after;
  }
  return true;
}

interface Part {
  readonly page: Page;
  readonly entries: readonly ListedPayment[];
  readonly isWanted: (entry: ListedPayment) => boolean;
  /** How many payments the page may still read. */
  readonly budget: { payments: number };
}

/** Fills the page from one part of the list. Returns the entries that are left for the next page. */
async function fillFrom(
  deps: ListPaymentsDeps,
  query: PaymentQuery,
  { page, entries, isWanted, budget }: Part,
): Promise<readonly ListedPayment[]> {
  let rest = entries;
  while (rest.length > 0 && page.room() > 0 && budget.payments > 0) {
    const some = upTo(rest, isWanted, Math.min(budget.payments, Math.max(page.room(), AT_ONCE)));
    const wanted = some.filter(isWanted);
    const payments = await eachOf(wanted, (entry) => paymentOf(deps, entry, query.status));
    budget.payments -= wanted.length;
    const found = new Map(wanted.map((entry, i) => [entry, payments[i]]));
    const untaken = some.findIndex((entry) => !page.take(entry, found.get(entry)));
    if (untaken >= 0) return rest.slice(untaken);
    rest = rest.slice(some.length);
  }
  return rest;
}

/** The entries up to the wanted entry with the number `most`, including it; all entries if there are fewer wanted ones. */
function upTo(entries: readonly ListedPayment[], isWanted: (entry: ListedPayment) => boolean, most: number) {
  let count = 0;
  const last = entries.findIndex((entry) => isWanted(entry) && ++count === most);
  return last < 0 ? entries : entries.slice(0, last + 1);
}

const isOfQuery = (entry: ListedPayment, { terminalId, merchantId, orderId }: PaymentQuery): boolean =>
  (terminalId === undefined || entry.terminalId === terminalId) &&
  (merchantId === undefined || entry.merchantId === merchantId) &&
  (orderId === undefined || entry.orderId === orderId);

/** The payment in its present state. Undefined if another request created it, or if it is not in the listed state. */
async function paymentOf(
  { payments }: ListPaymentsDeps,
  entry: ListedPayment,
  status: PaymentState | undefined,
): Promise<Payment | undefined> {
  const payment = (await payments.find(entry))?.payment;
  if (!payment || !isCreatedBy(payment, entry)) return undefined;
  return status === undefined || payment.status === status ? payment : undefined;
}
