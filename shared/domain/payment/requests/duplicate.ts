import * as z from "zod";
import type { RecordOf } from "../../record.ts";
import type { Refusal } from "../../refusal.ts";
import { instant, msBetween, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { orderHold, orderHolds, type OrderHold } from "../record/order.ts";
import type { Payment } from "../record/payment.ts";

/**
 * A session that was requested for an order. It is entered before its payment is committed, so its payment may never come. Its members show
 * whether it still counts, without a read of its payment.
 */
export const orderHolderRecord = z.object({
  partnerId: z.string(),
  terminalId: z.string(),
  sessionId: z.string(),
  /** The command of the request that entered it. A session has an entry for each request that may be committed. */
  commandId: z.string(),
  /** The merchant has each order paid at most once. The session is kept without a horizon. */
  strict: z.boolean(),
  /** How the payment held the order when that was last checked. */
  hold: z.enum(orderHolds),
  /** The time from which the payment is known to hold the order in this way. */
  since: instant,
});
export interface OrderHolder extends RecordOf<typeof orderHolderRecord> {}

/** The sessions of one order, in the order of their requests. */
export type Holders = readonly OrderHolder[];
type Session = Pick<Payment, "partnerId" | "sessionId">;

/** The findings about some holders, from their payments. */
export interface Judged {
  readonly payments: readonly Payment[];
  /** The holders whose payments never came, and can never come. */
  readonly gone: Holders;
  /** The holders whose payments may still come. They count as living. */
  readonly awaited: Holders;
}

/** The most sessions in an order's list. They fit one row many times over. */
export const MAX_HOLDERS = 100;
/** The most payments that are read at a time to check an order's list. */
export const MAX_READ = 10;

const isLiving = ({ hold }: OrderHolder): boolean => hold === "living";

/** A session has one payment at most. So entries of one session, also at another terminal, are never rivals. */
const isSame = (one: Session, other: Session): boolean =>
  one.partnerId === other.partnerId && one.sessionId === other.sessionId;
const isAt = (payment: Payment, holder: OrderHolder): boolean =>
  isSame(payment, holder) && payment.terminalId === holder.terminalId;
/** Whether the request that entered the holder created the payment. */
export const isOf = (payment: Payment, holder: OrderHolder): boolean =>
  isAt(payment, holder) && payment.requestedBy === holder.commandId;

/** A payment as a holder of its order. */
export const asHolder = (
  { partnerId, terminalId, sessionId, requestedBy: commandId, strictOrder: strict, updatedAt: since }: Payment,
  hold: OrderHold,
): OrderHolder => ({ partnerId, terminalId, sessionId, commandId, strict, hold, since });

/**
 * The holders that count: approved ones within the horizon, those of a strict merchant permanently, and all others while they hold the
 * order.
 */
export const withinHorizon = (holders: Holders, now: Instant, { orderHorizonSeconds }: Timings): Holders =>
  holders.filter(
    ({ strict, hold, since }) => strict || hold !== "approved" || msBetween(since, now) <= orderHorizonSeconds * 1000,
  );

/**
 * The holders, corrected by what these payments show: without those that do not hold the order, and with the present hold of the others. If
 * another request created the session's payment, the holder's own can never come.
 */
export const corrected = (holders: Holders, { payments, gone }: Pick<Judged, "payments" | "gone">): Holders =>
  holders.flatMap((holder) => {
    if (gone.includes(holder)) return [];
    const payment = payments.find((p) => isAt(p, holder));
    if (!payment) return holder;
    const hold = isOf(payment, holder) ? orderHold(payment) : undefined;
    if (hold === undefined) return [];
    return hold === holder.hold ? holder : { ...holder, hold, since: payment.updatedAt };
  });

/** The holders, with the present hold of this payment. An ended payment that holds the order again is added again. */
export function holdersAfter(holders: Holders, payment: Payment): Holders {
  const known = corrected(holders, { payments: [payment], gone: [] });
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

/** The holders with a newcomer, which becomes the newest. Undefined if there is no room for it. */
export function withNewcomer(holders: Holders, newcomer: OrderHolder): Holders | undefined {
  if (holders.some((holder) => isSame(holder, newcomer) && holder.commandId === newcomer.commandId)) return holders;
  const room = withRoom(holders);
  return room && [...room, newcomer];
}

/**
 * The holders with room for one more. A full list drops the oldest holder that is not living. A strict merchant's holder is dropped only
 * after all others. The earliest approved holder of a strict merchant is never dropped, because it holds the order permanently. Undefined
 * if none can be dropped.
 */
export function withRoom(holders: Holders): Holders | undefined {
  const tooMany = Math.max(0, holders.length + 1 - MAX_HOLDERS);
  const givenUp = new Set(mostDispensable(holders).slice(0, tooMany));
  return givenUp.size < tooMany ? undefined : holders.filter((holder) => !givenUp.has(holder));
}

function mostDispensable(holders: Holders): Holders {
  const ended = holders.filter((holder) => !isLiving(holder));
  const strict = ended.filter((holder) => holder.strict);
  const approved = strict.filter(({ hold }) => hold === "approved");
  return [...ended.filter((h) => !h.strict), ...strict.filter((h) => !approved.includes(h)), ...approved.slice(1)];
}

/** The request that the duplicate check is for, and whether the merchant has each order paid at most once. */
export interface OrderClaim extends Session {
  readonly strictOrder: boolean;
}

/** Another payment of the same order. A blocking duplicate refuses the request. Any other duplicate only marks it. */
export interface Duplicate {
  readonly blocks: boolean;
  /** As received from its partner. Undefined if only other partners' sessions are duplicates, or requests that may still come. */
  readonly sessionId: string | undefined;
  /** Every blocking session is a request whose payment may still come. */
  readonly isAwaited: boolean;
}

/**
 * The duplicate check: finds another session of the same order that may still charge a card, or has charged one. It blocks while the other
 * session is living or in doubt, and while its payment may still come. For a strict merchant it also blocks once the other session is
 * approved. A session that gives its money back only marks. If there are several, the newest is named, and only to its own partner.
 *
 * @param judged what was found. A holder that was not judged does not count as living
 */
export function duplicateAmong(
  holders: Holders,
  { payments, awaited }: Pick<Judged, "payments" | "awaited">,
  claim: OrderClaim,
): Duplicate | undefined {
  const rivals = holders
    .filter((holder) => !isSame(holder, claim))
    .map((holder) => ({
      holder,
      payment: payments.find((p) => isOf(p, holder)),
      isAwaited: awaited.includes(holder),
    }));
  const blocking = rivals.filter(({ holder, payment, isAwaited }) => {
    const hold = payment ? orderHold(payment) : holder.hold;
    return isAwaited || (payment && hold === "living") || (claim.strictOrder && hold !== "givingBack");
  });
  const blocks = blocking.length > 0;
  const certain = (blocks ? blocking : rivals).filter(({ isAwaited }) => !isAwaited);
  const named = certain.findLast(({ holder }) => holder.partnerId === claim.partnerId);
  const sessionId = named && (named.payment?.asReceived.sessionId ?? named.holder.sessionId);
  return rivals.length > 0 ? { blocks, sessionId, isAwaited: blocks && certain.length === 0 } : undefined;
}

/** The refusal of a request that a duplicate blocks. If only requests without an outcome block it, it may succeed later. */
export const refuseDuplicate = ({ sessionId, isAwaited }: Duplicate): Refusal<"possible_duplicate"> => ({
  code: "possible_duplicate",
  ...(sessionId !== undefined && { sessionId }),
  ...(isAwaited && {
    retryAfterSeconds: 5,
    detail: "Another request for this order has no outcome yet. It has one within 20 seconds.",
  }),
});

/** The partner's newest other session of the order. It marks a session that a full list cannot take. */
export const newestRival = (holders: Holders, own: Session): string | undefined =>
  holders.findLast((holder) => holder.partnerId === own.partnerId && !isSame(holder, own))?.sessionId;
