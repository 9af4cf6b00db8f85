import type { InboxEntry } from "../../terminal-inbox.ts";
import { after, earlier, later, msBetween, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { wantedCharge } from "../record/charge.ts";
import type { Deadline } from "../record/deadline.ts";
import type { Payment } from "../record/payment.ts";

// The message of a capture or a refund waits for its terminal, until an end that the partner may choose. Looks find out whether the terminal
// has fetched it. A look that changes nothing writes nothing, and sends itself again.

/** The time for which a message waits. `until` is the moment of its deadline `outcome`. */
export interface Wait {
  readonly since: Instant;
  readonly until: Instant;
}

/** The shortest wait that a partner may choose, in seconds. */
export const SHORTEST_WAIT = 60;
/** The longest wait of a capture that a partner may name, in seconds. It never waits longer than its authorization lasts. */
export const LONGEST_CAPTURE_WAIT = 90 * 24 * 3600;
/** The longest wait of a refund, in seconds. */
export const LONGEST_REFUND_WAIT = 7 * 24 * 3600;
/** The longest pause between two looks, in seconds. */
const LONGEST_PAUSE = 6 * 3600;

/**
 * The end of a capture's wait: at most when its authorization ends, `authorizationSeconds` after the charge. That is also the default. A
 * capture that is requested later waits for the shortest time.
 *
 * @param seconds the wait that the partner chose
 */
export function captureWait(
  payment: Payment,
  { now, timings }: { readonly now: Instant; readonly timings: Timings },
  seconds: number | undefined,
): Wait {
  const authorizedAt = wantedCharge(payment)?.createdAt ?? now;
  const most = later(after(authorizedAt, timings.authorizationSeconds), after(now, SHORTEST_WAIT));
  return { since: now, until: seconds === undefined ? most : earlier(after(now, seconds), most) };
}

/** The wait that a deadline `outcome` ends. Undefined for any other deadline. */
export function waitOf({ refunds, captureWaits }: Payment, { name, about }: Deadline): Wait | undefined {
  if (name !== "outcome") return undefined;
  if (about === undefined) return captureWaits;
  const refund = refunds.find(({ refundId }) => refundId === about);
  return refund?.deliverBefore === undefined ? undefined : { since: refund.createdAt, until: refund.deliverBefore };
}

/** The first look at a wait. It comes when an answer could be overdue, or at the end of the wait. */
export const firstLook = ({ since, until }: Wait, { outcomeSeconds }: Timings): Instant =>
  earlier(after(since, outcomeSeconds), until);

/** The look at a wait that follows a moment. Each pause is as long as the message has waited, and six hours at most. */
export function lookAfter(wait: Wait, moment: Instant, timings: Timings): Instant {
  const first = firstLook(wait, timings);
  if (moment < first) return first;
  const waited = msBetween(wait.since, moment) / 1000;
  return earlier(after(moment, Math.min(waited, LONGEST_PAUSE)), wait.until);
}

/** A message of a payment in its terminal's inbox. */
export type SentMessage = Pick<InboxEntry, "message" | "slot" | "state" | "fetchedAt">;

/**
 * Whether the terminal has certainly not fetched a message. While a restore's query about a capture or a refund is not answered, the terminal
 * may have it.
 */
export const isUnfetched = (payment: Pick<Payment, "restored" | "refunds">, sent: SentMessage): boolean =>
  sent.state === "waiting" && queryAbout(payment, sent) === undefined;

function queryAbout({ restored, refunds }: Pick<Payment, "restored" | "refunds">, { message, slot }: SentMessage) {
  if (message.type === "capture") return restored;
  return message.type === "refund" ? refunds.find(({ sequence }) => sequence === slot.sequence)?.restored : undefined;
}

/**
 * When the time of a wait is over: at its end if the terminal has certainly not fetched the message, otherwise `outcomeSeconds` after the
 * fetch. A message without a row may have been fetched. One whose fetch has no known time was fetched long ago.
 *
 * @param fetchedAt undefined if the message has no row, or no known time
 */
export const overAt = (
  { since, until }: Wait,
  { isUnfetched, fetchedAt }: { readonly isUnfetched: boolean; readonly fetchedAt: Instant | undefined },
  { outcomeSeconds }: Timings,
): Instant => {
  if (isUnfetched) return until;
  return fetchedAt === undefined ? since : after(earlier(fetchedAt, until), outcomeSeconds);
};

/** Seconds after which an operator hears of a capture that waits. */
const LONG_WAIT = 24 * 3600;

/** Whether a message that began to wait then has waited for a day, so that an operator is to know. */
export const waitsLong = (since: Instant, moment: Instant): boolean => msBetween(since, moment) >= LONG_WAIT * 1000;
