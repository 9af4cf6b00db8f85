import * as z from "zod";
import type { RecordOf } from "../../record.ts";
import { instant, msBetween, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { advance, type Change } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import { orderHold, orderHolds, type OrderHold } from "../record/order.ts";
import type { Payment } from "../record/payment.ts";

/** A session that was admitted for an order. Its members show whether it still counts, without a read of its payment. */
export const orderHolderRecord = z.object({
  partnerId: z.string(),
  terminalId: z.string(),
  sessionId: z.string(),
  /** The merchant has each order paid at most once. The session is kept without a horizon. */
  strict: z.boolean(),
  /** How the payment held the order when that was last checked. */
  hold: z.enum(orderHolds),
  /** The time from which the payment is known to hold the order in this way. */
  since: instant,
});
export interface OrderHolder extends RecordOf<typeof orderHolderRecord> {}

/** The sessions of one order, in the order of their admission. */
export type Holders = readonly OrderHolder[];
type Session = Pick<Payment, "partnerId" | "terminalId" | "sessionId">;

/** The most sessions in an order's list. They fit one row many times over. */
export const MAX_HOLDERS = 100;
/** The most payments that are read at a time to check an order's list. */
export const MAX_READ = 10;

const isLiving = ({ hold }: OrderHolder): boolean => hold === "living";

const isSame = (one: Session, other: Session): boolean =>
  one.partnerId === other.partnerId && one.terminalId === other.terminalId && one.sessionId === other.sessionId;

/** A session as a holder of its order. */
export const asHolder = (
  { partnerId, terminalId, sessionId, strictOrder: strict, updatedAt: since }: Payment,
  hold: OrderHold,
): OrderHolder => ({ partnerId, terminalId, sessionId, strict, hold, since });

/**
 * The holders that count: approved ones within the horizon, those of a strict merchant permanently, and all others while they hold the
 * order.
 */
export const withinHorizon = (holders: Holders, now: Instant, { orderHorizonSeconds }: Timings): Holders =>
  holders.filter(
    ({ strict, hold, since }) => strict || hold !== "approved" || msBetween(since, now) <= orderHorizonSeconds * 1000,
  );

/** The holders, corrected by these payments: without those that no longer hold the order, and with the present hold of the others. */
export const corrected = (holders: Holders, payments: readonly Payment[]): Holders =>
  holders.flatMap((holder) => {
    const payment = payments.find((p) => isSame(p, holder));
    if (!payment) return holder;
    const hold = orderHold(payment);
    if (hold === undefined) return [];
    return hold === holder.hold ? holder : { ...holder, hold, since: payment.updatedAt };
  });

/** The holders, with the present hold of this payment. An ended payment that holds the order again is added again. */
export function holdersAfter(holders: Holders, payment: Payment): Holders {
  const known = corrected(holders, [payment]);
  const hold = orderHold(payment);
  if (hold === undefined || hold === "living") return known;
  return withNewcomer(known, asHolder(payment, hold)) ?? known;
}

/** Whether two lists differ. One of them must be derived from the other. */
export const isOther = (one: Holders, other: Holders): boolean =>
  one.length !== other.length || one.some((holder, i) => holder !== other[i]);

/**
 * The other sessions that a payment's duplicate check reads. Those that may be living come first, and the newest first within each group.
 */
export function rivalsToRead(holders: Holders, own: Session): Holders {
  const rivals = holders.filter((holder) => !isSame(holder, own)).toReversed();
  return [...rivals.filter(isLiving), ...rivals.filter((holder) => !isLiving(holder))].slice(0, MAX_READ);
}

/** The sessions that are read if a list is full of living ones. The oldest have most probably ended. */
export const longestLiving = (holders: Holders): Holders => holders.filter(isLiving).slice(0, MAX_READ);

/**
 * The holders with a newcomer, which becomes the newest. A full list drops the oldest holder that is not living. A strict merchant's holder
 * is dropped only after all others. The earliest approved holder of a strict merchant is never dropped, because it holds the order
 * permanently. Undefined if none can be dropped.
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

/** The payment that the duplicate check is for, and whether the merchant has each order paid at most once. */
export interface OrderClaim extends Session {
  readonly strictOrder: boolean;
}

/** Another payment of the same order. A blocking duplicate refuses the request. Any other duplicate only marks it. */
export interface Duplicate {
  readonly blocks: boolean;
  /** As received from its partner. Undefined if only other partners' sessions are duplicates. */
  readonly sessionId: string | undefined;
}

/**
 * The duplicate check: finds another session of the same order that may still charge a card, or has charged one. It blocks while the other
 * session is living or in doubt. For a strict merchant it also blocks once the other session is approved. A session that gives its money
 * back only marks. If there are several, the newest is named, and only to its own partner.
 *
 * @param read the payments that were read. A holder whose payment was not read does not count as living
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

/** The partner's newest other session of the order. It marks a session that a full list cannot take. */
export const newestRival = (holders: Holders, own: Session): string | undefined =>
  holders.findLast((holder) => holder.partnerId === own.partnerId && !isSame(holder, own))?.sessionId;

/** Marks a pending payment that may repeat another. Undefined if it is already marked, or no longer pending. */
export const markDuplicate = (payment: Payment, sessionId: string, context: DecisionContext): Change | undefined =>
  payment.possibleDuplicateOf === undefined
    ? advance(payment, {
        ...context,
        event: "markedDuplicate",
        by: "platform",
        set: { possibleDuplicateOf: sessionId },
      })
    : undefined;
