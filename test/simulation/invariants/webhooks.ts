import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { Charge, ChargeState } from "../../../shared/domain/payment/record/charge.ts";
import { holdsTerminal, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { World } from "../world/world.ts";
import type { ReceivedPaymentEvent } from "./events.ts";
import type { Session } from "./snapshot.ts";

/** The type of the last event about a charge, refund or discount, by its state. */
type LastEvents = Readonly<Record<string, string | undefined>>;

const ofCharges: LastEvents = {
  reversing: "reversal.requested",
  reversed: "reversal.succeeded",
  reversalFailed: "reversal.failed",
  kept: "payment.corrected",
  inDoubt: "payment.contradicted",
};
/** Events of the payment's own charge. It has none while its payment tells of its void. */
const ofOwnVoids: LastEvents = { ...ofCharges, voided: "reversal.succeeded" };
const ofRefunds: LastEvents = { succeeded: "refund.succeeded", failed: "refund.failed" };
const ofDiscounts: LastEvents = { applied: "discount.applied", refused: "discount.refused" };

/**
 * Webhooks report every end to the partner. Each state, and each reason for a state, that the partner did not cause itself has an event
 * under that change's identifier. The last event about a charge, a refund or a discount has its final state. Each event has the payment's
 * state at its change.
 */
export function checkWebhooks(world: World, { plan, payment, history, events }: Session): void {
  if (!payment) return;
  const { sessionId } = plan;
  let reason: string | undefined;
  for (const entry of history) {
    const isNews = entry.from !== entry.to || (entry.reason !== undefined && entry.reason !== reason);
    if (!entry.recordedOnly) reason = entry.from === entry.to ? (entry.reason ?? reason) : entry.reason;
    if (entry.by === "partner" || !isNews || entry.event === "request") continue;
    checkChange(
      world,
      `${sessionId} ${entry.sequence} ${entry.to}`,
      entry,
      events.get(`${sessionId}_${entry.sequence}`),
    );
  }
  for (const { id, sequence, data } of events.values()) {
    const { to } = history.find((h) => h.sequence === sequence) ?? {};
    if (to !== data.status)
      world.violate("an event with a state that never existed", `${id}: ${data.status} where it was ${to}`);
  }
  checkLastEvents(world, payment, history, events);
}

/** An operator may have recorded as paid what the terminal has not reported. */
export const isSaidToBePaid = ({ event }: RecordedEntry): boolean => event === "settledPaid" || event === "corrected";

const settled: ReadonlySet<string> = new Set(["voided", "reversed", "kept"] satisfies ChargeState[]);

function checkChange(
  world: World,
  at: string,
  { to, sequence, event }: RecordedEntry,
  sent: ReceivedPaymentEvent | undefined,
): void {
  if (sent?.type !== `payment.${to}` || sent.sequence !== sequence)
    world.violate("a change without its webhook", `${at}: ${sent?.type}`);
  if (event === "settledUnpaid") return; // an operator's resolution ends the payment before its charges are given back
  if (to === "voided" && sent?.data.charges.some(({ status }) => !settled.has(status)))
    world.violate("voided before every charge was closed", at);
}

function dueOf({ status, voidReason, contradicted }: Charge, hasEvents: boolean): string | undefined {
  if (contradicted) return "payment.contradicted";
  if (voidReason === undefined) return ofCharges[status];
  return hasEvents || status === "inDoubt" ? ofOwnVoids[status] : undefined;
}

function checkLastEvents(
  world: World,
  payment: Payment,
  history: readonly RecordedEntry[],
  events: ReadonlyMap<string, ReceivedPaymentEvent>,
): void {
  const { sessionId } = payment;
  const lastAbout = (about: string) => history.flatMap((h) => events.get(`${sessionId}_${h.sequence}_${about}`) ?? []);
  const isAnswered = history.some((h) => h.by === "partner" && h.from && holdsTerminal(h.from) && !holdsTerminal(h.to));
  const things: readonly { what: string; about: string; due: string | undefined }[] = [
    // If an operator names a charge as the payment's own, the event of that resolution reports it, whatever earlier events reported about
    // it.
    ...payment.charges
      .filter(({ status }) => status !== "captured" || !history.some(isSaidToBePaid))
      .map((c) => ({ what: "charge", about: c.chargeId, due: dueOf(c, lastAbout(c.chargeId).length > 0) })),
    ...payment.refunds.map(({ refundId: about, status, statusReason }) => {
      // The response to a partner's own withdrawal contains its result.
      if (statusReason === "cancelledByPartner") return { what: "refund", about, due: undefined };
      const isAgain = status === "pending" && lastAbout(about).length > 0; // it had failed
      return { what: "refund", about, due: isAgain ? "payment.contradicted" : ofRefunds[status] };
    }),
    // The response to a partner's own cancel contains the results of that cancel.
    ...payment.discounts
      .filter(({ status }) => !isAnswered || status === "applied")
      .map((d) => ({ what: "discount", about: d.discountId, due: ofDiscounts[d.status] })),
  ];
  for (const { what, about, due } of things) {
    const { type: last, sequence = 0 } = lastAbout(about).at(-1) ?? {};
    // An operator may make a charge under reversal the wanted one. The event of that resolution reports it.
    const isOverruled = due === undefined && history.some((h) => h.by === "operator" && h.sequence > sequence);
    if (last !== due && !isOverruled)
      world.violate(`the last webhook of a ${what} is wrong`, `${sessionId} ${about} ${last}`);
  }
}
