import { paymentHasEnded } from "../../../domain/payment/record/ended.ts";
import { orderOf } from "../../../domain/payment/record/order.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import { isOfPayment } from "../../../domain/alert.ts";
import type { Instant } from "../../../domain/time.ts";
import { Conflict } from "../../../ports/failures.ts";
import { lacksPayment } from "../../../stores/payments.ts";
import { isCarriedOut } from "../../../stores/commands.ts";
import type { DayMark } from "../../../stores/marks.ts";
import { isSamePayment, paymentSubjectOf } from "../../../ports/subjects.ts";
import { createdEntryOf } from "../../payments/enter-session.ts";
import { leaveSession } from "./purge-created.ts";
import { LATER, removed, STAYS, type PurgeResult } from "./purge-result.ts";
import type { Needs } from "../../needs.ts";

export type PurgePaymentDeps = Needs<"alerts" | "commands" | "orders" | "payments" | "retention" | "sessions">;

/**
 * Removes a payment that has ended and last changed before this moment, with all data stored about it. The payment stays while one of its
 * effects is not carried out or an open alert names it. A tombstone or an aborted request that the mark names is removed too. The mark is
 * removed last, so that after a crash the next run finds it and removes the rest. Throws `Conflict` if the payment changed
 * meanwhile.
 */
export async function purgePayment(
  deps: PurgePaymentDeps,
  { subject }: DayMark<"payment">,
  before: Instant,
): Promise<PurgeResult> {
  const read = await deps.payments.findOrTombstone(subject);
  if (!read || lacksPayment(read))
    return removed((await deps.retention.removeAborted(subject, before)) + (await leaveSession(deps, subject, before)));
  const { payment, etag } = read;
  if (payment.updatedAt >= before) return LATER; // each change is marked under its day
  if (!(await isOver(deps, payment))) return STAYS;
  const { terminalId, createdAt, sessionId } = payment;
  const found = await deps.retention.messagesOf({ terminalId, createdAt, sessionId });
  // These are all messages of an unchanged payment. A later change keeps the payment, and its message is not among them.
  if ((await deps.payments.find(subject))?.etag !== etag) throw new Conflict("the payment changed since it was read");
  const messages = await deps.retention.removeMessages(found);
  const order = await leaveOrder(deps, payment);
  const entry = createdEntryOf(payment);
  const listed = await deps.sessions.withdraw(entry);
  try {
    const own = await deps.retention.removePayment(subject, etag);
    return removed(messages + order + listed + own + (await leaveSession(deps, subject, before)));
  } catch (error) {
    if (error instanceof Conflict) await deps.sessions.enterAgain(entry); // it stays, so it must be listed
    throw error;
  }
}

async function isOver({ commands, alerts }: PurgePaymentDeps, payment: Payment): Promise<boolean> {
  if (!paymentHasEnded(payment)) return false;
  const [all, raised] = await Promise.all([
    commands.ofSubject(paymentSubjectOf(payment)),
    alerts.of(payment.sessionId),
  ]);
  return all.every(isCarriedOut) && !raised.some(({ alert }) => alert.status === "open" && isOfPayment(alert, payment));
}

/** Takes the payment out of its order's list. Removes the list if it names no other payment. Returns the number of removed rows. */
async function leaveOrder({ orders, retention }: PurgePaymentDeps, payment: Payment): Promise<number> {
  const key = orderOf(payment);
  const order = key && (await orders.find(key));
  if (!key || !order) return 0;
  const others = order.holders.filter((holder) => !isSamePayment(holder, payment));
  if (others.length > 0) {
    if (others.length < order.holders.length) await orders.save(key, others, order);
    return 0;
  }
  await retention.removeOrder(key, order.etag);
  return 1;
}
