import { createHash } from "node:crypto";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import type { ListedPayment } from "../../stores/created-payments.ts";

/** Where a reader of a list of payments goes on. */
export interface Place {
  /** The position after which it reads. */
  readonly position: string;
  /** The marks of the entries after the position that it was shown. */
  readonly seen: readonly string[];
}

/** The most entries that a place names. Where more were created in the last minute, a page ends before the next one. */
export const MOST_SEEN = 200;

/** A short name of an entry: 64 bits of its position's digest, in 11 characters. */
const markOf = (position: string): string =>
  createHash("sha256").update(position).digest().subarray(0, 8).toString("base64url");

/**
 * A page that is being filled from entries in their order. An entry before `settledAt` is settled: no other one can appear before it any
 * more. The next page begins at the last entry that was looked at, but never after the first one that is not settled. So what appears late
 * is found, and what was shown after that point is named in the place and left out.
 */
export interface Page {
  /** The position after which the page begins. */
  readonly start: string;
  readonly shown: readonly Payment[];
  /** The entries that a page without a filter needs: those that it shows, those that were shown, and one that says whether there are more. */
  readonly mostEntries: number;
  /** How many payments it still takes. */
  room(): number;
  /** Whether the entry was shown on an earlier page. */
  isSeen(entry: ListedPayment): boolean;
  /** Takes the next entry, with its payment where it is to be shown. Returns false, and takes nothing, where it has no room for it. */
  take(entry: ListedPayment, payment: Payment | undefined): boolean;
  /** Where the next page goes on. */
  next(): Place;
}

/** @param limit how many payments the page shows at most */
export function pageFrom(
  from: Place,
  { limit, settledAt }: { readonly limit: number; readonly settledAt: Instant },
): Page {
  const shown: Payment[] = [];
  const seen = new Set(from.seen);
  let lookedAt = from.position;
  const hasRoomFor = (isSettled: boolean) => shown.length < limit && (isSettled || seen.size < MOST_SEEN);
  return {
    start: from.position,
    shown,
    mostEntries: limit + from.seen.length + 1,
    room: () => limit - shown.length,
    isSeen: ({ position }) => seen.has(markOf(position)),
    take({ position }, payment) {
      const isSettled = position < settledAt;
      if (payment && !hasRoomFor(isSettled)) return false;
      if (isSettled) seen.delete(markOf(position));
      else if (payment) seen.add(markOf(position));
      if (payment) shown.push(payment);
      lookedAt = position;
      return true;
    },
    next() {
      const reached = lookedAt < settledAt ? lookedAt : settledAt;
      // The clock of another host may have been ahead: a place never goes back.
      return { position: reached > from.position ? reached : from.position, seen: [...seen] };
    },
  };
}
