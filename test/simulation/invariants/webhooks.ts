import type { RecordedEntry } from "../../../shared/ports/payments.ts";
import { holdsTerminal, type ChargeState, type Payment } from "../../../shared/domain/payment/payment.ts";
import type { World } from "../world/world.ts";
import type { PaymentEventTold } from "./events.ts";
import type { Session } from "./snapshot.ts";

/** The last event about something, by what became of it. */
type LastWords = Readonly<Record<string, string | undefined>>;

const ofCharges: LastWords = {
  reversing: "reversal.requested",
  reversed: "reversal.succeeded",
  reversalFailed: "reversal.failed",
  kept: "payment.corrected",
};
const ofRefunds: LastWords = { succeeded: "refund.succeeded", failed: "refund.failed" };
const ofDiscounts: LastWords = { applied: "discount.applied", refused: "discount.refused" };

/**
 * The partner knows how all of it ends. Each state, and each reason for one, that it did not ask for itself was told by an event under that
 * change's identifier, and the last event about a charge, a refund or a discount says what became of it. Each event says how the payment
 * stood at its change.
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
    if (to !== data.status) world.violate("an event of what never was", `${id}: ${data.status} where it was ${to}`);
  }
  checkLastWords(world, payment, history, events);
}

const isSaidToBePaid = ({ event }: RecordedEntry): boolean => event === "settledPaid" || event === "corrected";

const settled: ReadonlySet<string> = new Set(["voided", "reversed", "kept"] satisfies ChargeState[]);

function checkChange(
  world: World,
  at: string,
  { to, sequence, event }: RecordedEntry,
  told: PaymentEventTold | undefined,
): void {
  if (told?.type !== `payment.${to}` || told.sequence !== sequence)
    world.violate("a change that the partner was not told of", `${at}: ${told?.type}`);
  if (event === "settledUnpaid") return; // what an operator ends, ends before its charges are back
  if (to === "voided" && told?.data.charges.some(({ status }) => !settled.has(status)))
    world.violate("voided while a charge was on its way back", at);
}

function checkLastWords(
  world: World,
  payment: Payment,
  history: readonly RecordedEntry[],
  events: ReadonlyMap<string, PaymentEventTold>,
): void {
  const { sessionId } = payment;
  const lastAbout = (about: string) => history.flatMap((h) => events.get(`${sessionId}_${h.sequence}_${about}`) ?? []);
  const isAnswered = history.some((h) => h.by === "partner" && h.from && holdsTerminal(h.from) && !holdsTerminal(h.to));
  const things: readonly { what: string; about: string; due: string | undefined }[] = [
    // A charge that an operator says the payment was paid by is told with that, whatever was told of it before.
    ...payment.charges
      .filter(({ status }) => status !== "captured" || !history.some(isSaidToBePaid))
      .map((c) => ({ what: "charge", about: c.chargeId, due: ofCharges[c.status] })),
    ...payment.refunds.map((r) => ({ what: "refund", about: r.refundId, due: ofRefunds[r.status] })),
    // What a partner's own cancel settles is in its answer.
    ...payment.discounts
      .filter(({ status }) => !isAnswered || status === "applied")
      .map((d) => ({ what: "discount", about: d.discountId, due: ofDiscounts[d.status] })),
  ];
  for (const { what, about, due } of things) {
    const { type: told, sequence = 0 } = lastAbout(about).at(-1) ?? {};
    // An operator may say that a charge is wanted which was on its way back: the event of that word tells it.
    const isOverruled = due === undefined && history.some((h) => h.by === "operator" && h.sequence > sequence);
    if (told !== due && !isOverruled)
      world.violate(`a ${what} of which the partner was told otherwise`, `${sessionId} ${about} ${told}`);
  }
}
