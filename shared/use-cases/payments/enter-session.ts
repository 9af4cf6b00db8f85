import type { Payment } from "../../domain/payment/record/payment.ts";
import { msBetween } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { KeyEntry } from "../../stores/idempotency-keys.ts";
import type { CreatedPayment, StoredSession } from "../../stores/sessions.ts";
import type { Needs } from "../needs.ts";

/**
 * The longest time from a payment's `createdAt` until its entry is written. Readers of the list rely on it: no entry older than
 * `SETTLED_SECONDS` appears any more. The rest of that time is for the commit, and for clocks that differ.
 */
const LONGEST_ENTERING_MS = 20_000;

/** The payment's entry in its partner's list. */
export const createdEntryOf = ({ references, ...payment }: Payment): CreatedPayment => ({
  partnerId: payment.partnerId,
  sessionId: payment.sessionId,
  createdAt: payment.createdAt,
  requestedBy: payment.requestedBy,
  merchantId: payment.merchantId,
  terminalId: payment.terminalId,
  orderId: references?.orderId,
});

/** Whether the entry was written for this payment, and not for another request of its session. */
export const isCreatedBy = (payment: Payment, { createdAt, requestedBy }: CreatedPayment): boolean =>
  payment.createdAt === createdAt && payment.requestedBy === requestedBy;

/**
 * Enters a new payment in its partner's list, with the terminal of its session, before its commit. Throws `Conflict` if the session was
 * requested before, or if it or the key changed since it was read. Throws `Unavailable`, also if this took so long that readers may have passed its
 * position.
 */
export async function enterSession(
  { sessions }: Needs<"sessions">,
  { now }: Pick<CallContext, "now">,
  payment: Payment,
  { session, key }: { readonly session: StoredSession | undefined; readonly key: KeyEntry | undefined },
): Promise<void> {
  await sessions.enter(createdEntryOf(payment), session, key);
  const ms = msBetween(payment.createdAt, now());
  if (ms > LONGEST_ENTERING_MS) throw new Unavailable(`a new payment was listed after ${ms} ms, and is given up`);
}
