import { z } from "zod";
import type { RecordOf } from "../record.ts";
import { instant, msBetween, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { advance, type Change } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { holdsOrder, holdsTerminal, type Payment } from "./payment.ts";

/** What the double-charge guard takes for one order: the merchant's reference, and what is to be paid. */
export interface OrderKey {
  readonly merchantId: string;
  readonly orderId: string;
  readonly currency: string;
  /** Integer minor units. */
  readonly amount: number;
}

type Ordered = Pick<Payment, "merchantId" | "currency" | "references"> &
  (Pick<Payment, "amounts"> | { readonly amount: number });

/**
 * The order of a payment or of a request for one; undefined where it names none. A blank reference names none: callers that have no
 * order send it, and it would make one order of all their customers.
 */
export function orderOf(ordered: Ordered): OrderKey | undefined {
  const { merchantId, currency, references } = ordered;
  const orderId = references?.orderId;
  if (orderId === undefined || orderId.trim() === "") return undefined;
  return { merchantId, orderId, currency, amount: "amounts" in ordered ? ordered.amounts.requested : ordered.amount };
}

/** A session that was let in for an order, with what tells without its payment whether it still matters. */
export const orderHolderRecord = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  /** The order is paid at most once, ever: the session is kept without a horizon. */
  strict: z.boolean(),
  /** Since when it is known to be approved; undefined while it is living, as far as is known. */
  approvedAt: instant.optional(),
});
export interface OrderHolder extends RecordOf<typeof orderHolderRecord> {}

/** The sessions of one order, in the order in which they were let in. */
export type Holders = readonly OrderHolder[];
type Session = Pick<Payment, "partnerId" | "sessionId">;

/** So many sessions an order keeps. They fit a row many times over. */
export const MOST_HOLDERS = 100;
/** So many payments are read at a time to check what is kept of an order. */
export const MOST_READ = 10;

const isSame = (one: Session, other: Session): boolean =>
  one.partnerId === other.partnerId && one.sessionId === other.sessionId;

/** A session as a holder of its order. */
export const asHolder = ({ partnerId, sessionId, strictOrder: strict }: Payment): OrderHolder => ({
  partnerId,
  sessionId,
  strict,
});

/** The holders that matter: living ones, those approved within the horizon, and a strict merchant's for good. */
export const withinHorizon = (holders: Holders, now: Instant, { orderHorizonSeconds }: Timings): Holders =>
  holders.filter(
    ({ strict, approvedAt }) =>
      strict || approvedAt === undefined || msBetween(approvedAt, now) <= orderHorizonSeconds * 1000,
  );

/** The holders as these payments show them: who no longer holds the order is left out, who is approved is noted to be. */
export const corrected = (holders: Holders, payments: readonly Payment[]): Holders =>
  holders.flatMap((holder) => {
    const payment = payments.find((p) => isSame(p, holder));
    if (!payment) return holder;
    if (!holdsOrder(payment)) return [];
    const isNews = holder.approvedAt === undefined && !holdsTerminal(payment.status);
    return isNews ? { ...holder, approvedAt: payment.updatedAt } : holder;
  });

/** Whether two lists, of which one was made of the other, are different. */
export const isOther = (one: Holders, other: Holders): boolean =>
  one.length !== other.length || one.some((holder, i) => holder !== other[i]);

/** The sessions beside its own that a payment's guard reads: those that may be living first, of each kind the newest. */
export function rivalsToRead(holders: Holders, own: Session): Holders {
  const rivals = holders.filter((holder) => !isSame(holder, own)).toReversed();
  const isLiving = (holder: OrderHolder) => holder.approvedAt === undefined;
  return [...rivals.filter(isLiving), ...rivals.filter((holder) => !isLiving(holder))].slice(0, MOST_READ);
}

/** The sessions that are read where a list of living ones is full: the oldest have most probably ended. */
export const longestLiving = (holders: Holders): Holders =>
  holders.filter(({ approvedAt }) => approvedAt === undefined).slice(0, MOST_READ);

/**
 * The holders with one more, which is the newest. A full list gives up the oldest of those that are approved; a strict merchant's only
 * after all others, and never the earliest, which holds the order for good. Undefined where all of them are living.
 */
export function withNewcomer(holders: Holders, newcomer: OrderHolder): Holders | undefined {
  if (holders.some((holder) => isSame(holder, newcomer))) return holders;
  const tooMany = Math.max(0, holders.length + 1 - MOST_HOLDERS);
  const givenUp = new Set(mostDispensable(holders).slice(0, tooMany));
  return givenUp.size < tooMany ? undefined : [...holders.filter((holder) => !givenUp.has(holder)), newcomer];
}

function mostDispensable(holders: Holders): Holders {
  const approved = holders.filter(({ approvedAt }) => approvedAt !== undefined);
  return [...approved.filter(({ strict }) => !strict), ...approved.filter(({ strict }) => strict).slice(1)];
}

/** Whose payment the double-charge guard looks at, and how the merchant wants its orders guarded. */
export interface OrderClaim extends Session {
  readonly strictOrder: boolean;
}

/** Another payment of the same order; one that blocks refuses the request, another only marks it. */
export interface Duplicate {
  readonly blocks: boolean;
  /** As its partner spells it; undefined where only another partner's sessions are duplicates. */
  readonly sessionId: string | undefined;
}

/**
 * The double-charge guard: another session of the same order that may still charge, or has. It blocks while the other is living or in
 * doubt, and, where the merchant is strict, also once it is approved. Of several the newest is named, and only to its own partner.
 *
 * @param read the payments of those that were read; a holder beyond them counts as approved
 */
export function duplicateAmong(holders: Holders, read: readonly Payment[], claim: OrderClaim): Duplicate | undefined {
  const rivals = holders
    .filter((holder) => !isSame(holder, claim))
    .map((holder) => ({ holder, payment: read.find((p) => isSame(p, holder)) }));
  const blocking = rivals.filter(
    ({ payment }) => claim.strictOrder || (payment !== undefined && holdsTerminal(payment.status)),
  );
  const blocks = blocking.length > 0;
  const named = (blocks ? blocking : rivals).findLast(({ holder }) => holder.partnerId === claim.partnerId);
  const sessionId = named && (named.payment?.spelled.sessionId ?? named.holder.sessionId);
  return rivals.length > 0 ? { blocks, sessionId } : undefined;
}

/** The partner's newest session of the order beside its own: the mark of a session that a full list does not take. */
export const newestRival = (holders: Holders, own: Session): string | undefined =>
  holders.findLast((holder) => holder.partnerId === own.partnerId && !isSame(holder, own))?.sessionId;

/** Marks a pending payment that may repeat another; undefined where it is marked already, or waits no more. */
export const markDuplicate = (payment: Payment, sessionId: string, context: DecisionContext): Change | undefined =>
  payment.possibleDuplicateOf === undefined
    ? advance(payment, {
        ...context,
        event: "markedDuplicate",
        by: "platform",
        set: { possibleDuplicateOf: sessionId },
      })
    : undefined;
