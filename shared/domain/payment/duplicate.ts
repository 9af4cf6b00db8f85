import { z } from "zod";
import type { RecordOf } from "../record.ts";
import { instant, msBetween, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { advance, type Change } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { orderHold, orderHolds, type OrderHold } from "./order.ts";
import type { Payment } from "./payment.ts";

/** A session that was let in for an order, with what tells without its payment whether it still matters. */
export const orderHolderRecord = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  /** The order is paid at most once, ever: the session is kept without a horizon. */
  strict: z.boolean(),
  /** How it holds the order, as far as is known. */
  hold: z.enum(orderHolds),
  /** Since when it is known to hold the order so. */
  since: instant,
});
export interface OrderHolder extends RecordOf<typeof orderHolderRecord> {}

/** The sessions of one order, in the order in which they were let in. */
export type Holders = readonly OrderHolder[];
type Session = Pick<Payment, "partnerId" | "sessionId">;

/** So many sessions an order keeps. They fit a row many times over. */
export const MAX_HOLDERS = 100;
/** So many payments are read at a time to check what is kept of an order. */
export const MAX_READ = 10;

const isLiving = ({ hold }: OrderHolder): boolean => hold === "living";

const isSame = (one: Session, other: Session): boolean =>
  one.partnerId === other.partnerId && one.sessionId === other.sessionId;

/** A session as a holder of its order. */
export const asHolder = (
  { partnerId, sessionId, strictOrder: strict, updatedAt: since }: Payment,
  hold: OrderHold,
): OrderHolder => ({ partnerId, sessionId, strict, hold, since });

/** The holders that matter: those approved within the horizon, a strict merchant's for good, and all others while they hold the order. */
export const withinHorizon = (holders: Holders, now: Instant, { orderHorizonSeconds }: Timings): Holders =>
  holders.filter(
    ({ strict, hold, since }) => strict || hold !== "approved" || msBetween(since, now) <= orderHorizonSeconds * 1000,
  );

/** The holders as these payments show them: who no longer holds the order is left out, and of the others it is noted how they do. */
export const corrected = (holders: Holders, payments: readonly Payment[]): Holders =>
  holders.flatMap((holder) => {
    const payment = payments.find((p) => isSame(p, holder));
    if (!payment) return holder;
    const hold = orderHold(payment);
    if (hold === undefined) return [];
    return hold === holder.hold ? holder : { ...holder, hold, since: payment.updatedAt };
  });

/** The holders with how this payment holds the order now. One that is over and has come to hold it again is entered anew. */
export function holdersAfter(holders: Holders, payment: Payment): Holders {
  const known = corrected(holders, [payment]);
  const hold = orderHold(payment);
  if (hold === undefined || hold === "living") return known;
  return withNewcomer(known, asHolder(payment, hold)) ?? known;
}

/** Whether two lists, of which one was made of the other, are different. */
export const isOther = (one: Holders, other: Holders): boolean =>
  one.length !== other.length || one.some((holder, i) => holder !== other[i]);

/** The sessions beside its own that a payment's guard reads: those that may be living first, of each kind the newest. */
export function rivalsToRead(holders: Holders, own: Session): Holders {
  const rivals = holders.filter((holder) => !isSame(holder, own)).toReversed();
  return [...rivals.filter(isLiving), ...rivals.filter((holder) => !isLiving(holder))].slice(0, MAX_READ);
}

/** The sessions that are read where a list of living ones is full: the oldest have most probably ended. */
export const longestLiving = (holders: Holders): Holders => holders.filter(isLiving).slice(0, MAX_READ);

/**
 * The holders with one more, which is the newest. A full list gives up the oldest of those that are not living; a strict merchant's only
 * after all others, and never the earliest that is approved, which holds the order for good. Undefined where all of them are living.
 */
export function withNewcomer(holders: Holders, newcomer: OrderHolder): Holders | undefined {
  if (holders.some((holder) => isSame(holder, newcomer))) return holders;
  const tooMany = Math.max(0, holders.length + 1 - MAX_HOLDERS);
  const givenUp = new Set(mostDispensable(holders).slice(0, tooMany));
  return givenUp.size < tooMany ? undefined : [...holders.filter((holder) => !givenUp.has(holder)), newcomer];
}

function mostDispensable(holders: Holders): Holders {
  const ended = holders.filter((holder) => !isLiving(holder));
  const strict = ended.filter((holder) => holder.strict);
  const approved = strict.filter(({ hold }) => hold === "approved");
  return [...ended.filter((h) => !h.strict), ...strict.filter((h) => !approved.includes(h)), ...approved.slice(1)];
}

/** Whose payment the duplicate check looks at, and how the merchant wants its orders guarded. */
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
 * The duplicate check: another session of the same order that may still charge, or has. It blocks while the other is living or in
 * doubt, and, where the merchant is strict, also once it is approved; one that gives its money back only marks. Of several the newest is
 * named, and only to its own partner.
 *
 * @param read the payments of those that were read; a holder beyond them is not taken for living
 */
export function duplicateAmong(holders: Holders, read: readonly Payment[], claim: OrderClaim): Duplicate | undefined {
  const rivals = holders
    .filter((holder) => !isSame(holder, claim))
    .map((holder) => ({ holder, payment: read.find((p) => isSame(p, holder)) }));
  const blocking = rivals.filter(({ holder, payment }) => {
    const hold = payment ? orderHold(payment) : holder.hold;
    return payment && hold === "living" ? true : claim.strictOrder && hold !== "givingBack";
  });
  const blocks = blocking.length > 0;
  const named = (blocks ? blocking : rivals).findLast(({ holder }) => holder.partnerId === claim.partnerId);
  const sessionId = named && (named.payment?.asReceived.sessionId ?? named.holder.sessionId);
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
