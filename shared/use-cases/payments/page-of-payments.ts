import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import type { ListedPayment } from "../../stores/sessions.ts";
import { digestOf } from "../opaque-cursor.ts";

/** The place at which a reader continues in a list of payments. */
export interface Place {
  /** The position after which the reader continues. */
  readonly position: string;
  /** The marks of the entries after the position that the reader was already shown. */
  readonly seen: readonly string[];
}

/** The most entries that a place names. If more were created in the last minute, a page ends before the next one. */
export const MOST_SEEN = 200;

/**
 * A page that is being filled from entries in their order. An entry before `settledAt` is settled: no other entry can appear before it. The
 * next page begins at the last entry that was looked at, but never after the first unsettled one. So entries that appear late are found.
 * Entries after that point that were already shown are named in the place and left out.
 */
export interface Page {
  /** The position after which the page begins. */
  readonly start: string;
  readonly shown: readonly Payment[];
  /**
   * The number of entries that a page without a filter needs. It covers those to show, those shown before, and one more to detect a next
   * page.
   */
  readonly mostEntries: number;
  /** How many more payments the page takes. */
  room(): number;
  /** Whether the entry was shown on an earlier page. */
  isSeen(entry: ListedPayment): boolean;
  /** Takes the next entry, with its payment if it is to be shown. Returns false, and takes nothing, if there is no room for it. */
  take(entry: ListedPayment, payment: Payment | undefined): boolean;
  /** The place at which the next page continues. */
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
    isSeen: ({ position }) => seen.has(digestOf(position)),
    take({ position }, payment) {
      const isSettled = position < settledAt;
      if (payment && !hasRoomFor(isSettled)) return false;
      if (isSettled) seen.delete(digestOf(position));
      else if (payment) seen.add(digestOf(position));
      if (payment) shown.push(payment);
      lookedAt = position;
      return true;
    },
    next() {
      const reached = lookedAt < settledAt ? lookedAt : settledAt;
      // The clock of another host may have been ahead. A place never goes back.
      return { position: reached > from.position ? reached : from.position, seen: [...seen] };
    },
  };
}
