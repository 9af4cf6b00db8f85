import { isOfPayment } from "../../../shared/domain/alert.ts";
import { dayAfter } from "../../../shared/domain/booking.ts";
import { fromMinorUnits } from "../../../shared/domain/money.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import type { Timings } from "../../../shared/domain/timings.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { TablePorts } from "../../../shared/stores/stores.ts";
import { msAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Word } from "./judgement.ts";
import type { Plan } from "./plan.ts";

// Checks the operator decisions that the platform accepts, at the moment when it accepts them.

/** Whether an open alert names the payment, or a day on which its terminal may have moved its money. */
async function isNamedForCorrection(ports: TablePorts, plan: Plan, { createdAt }: Payment): Promise<boolean> {
  const { sessionId, request } = plan;
  const { terminalId } = request;
  const found = [...(await ports.alerts.of(sessionId)), ...(await ports.alerts.of(terminalId))];
  const open = found.flatMap(({ alert }) => (alert.status === "open" ? [alert] : []));
  if (open.some((alert) => isOfPayment(alert, plan) || alert.kind === "orphanReport")) return true;
  const created = dayOf(createdAt);
  for (const { kind, subject } of open) {
    if (kind !== "dayDiffers" || subject.kind !== "terminal") continue;
    const { day } = subject;
    const bookings = await ports.bookings.ofBusinessDay({ terminalId, day });
    if (day === created || day === dayAfter(created) || bookings.some((one) => one.sessionId === sessionId))
      return true;
  }
  return false;
}

/** Whether an alert allows the correction, or none is needed: an operator's refund outside the platform is taken back. */
export async function mayBeCorrected(
  ports: TablePorts,
  plan: Plan,
  { seen, word }: { readonly seen: Payment; readonly word: Word },
): Promise<boolean> {
  const isTakenBack = word.of === "refund" && word.outcome === "failed";
  const refund = isTakenBack ? seen.refunds.find(({ refundId }) => refundId === word.refundId) : undefined;
  return refund?.outsideReference !== undefined || isNamedForCorrection(ports, plan, seen);
}

/**
 * Watches a charge that is to be recorded as kept. The terminal must not have fetched its void without an answer. When the time of the try
 * is over, its deadline takes the void out of the inbox, and the charge may be kept.
 */
export async function watchKept(
  world: World,
  ports: TablePorts,
  { request, seen }: Pick<Plan, "request"> & { readonly seen: Payment },
  word: Word,
) {
  if (word.outcome !== "kept") return () => {};
  const { chargeId } = word;
  const since = seen.charges.find((charge) => charge.chargeId === chargeId)?.reversal?.since;
  const fetched = async () =>
    (await ports.inboxes.unanswered(request.terminalId)).filter(
      ({ state, slot, message }) =>
        state === "fetched" &&
        slot.sessionId === request.sessionId &&
        message.type === "void" &&
        message.chargeId === chargeId,
    );
  const before = await fetched();
  /** `history` ends with the operator's change. */
  return (history: readonly RecordedEntry[], { retryVoidSeconds }: Timings): void => {
    if (since !== undefined && world.agenda.now() - msAt(since) >= retryVoidSeconds * SECOND) return;
    for (const { messageId } of before)
      if (!history.some((entry) => entry.messageId === messageId))
        world.violate("kept while the terminal may be voiding it", `${seen.sessionId} ${chargeId}`);
  };
}

/** While a discount is not answered, if a tip was asked for, or if a part was requested, several amounts are possible. Then no amount may be assumed. */
export function watchPaid(
  world: World,
  { sessionId, charges, discounts, captureAmount, amounts, tip }: Payment,
  word: Word,
) {
  if (word.of !== "payment" || word.outcome !== "paid" || word.amount !== undefined) return;
  const isOffered = discounts.some(
    ({ status, voucherTokenId, reserved }) => status === "requested" && (voucherTokenId === undefined || reserved),
  );
  const isPart = captureAmount !== undefined && captureAmount !== amounts.authorized && charges.length > 0;
  if (((isOffered || tip?.asked) && charges.length === 0) || isPart)
    world.violate("an amount was assumed for an operator's paid", sessionId);
}

/**
 * A charge that the merchant keeps counts in the captured amount at once. A charge that the customer has back no longer counts. A refund
 * counts with the amount that the operator named.
 */
export function watchCounted(world: World, seen: Payment, after: Payment, word: Word): void {
  if (word.of === "refund") watchRefund(world, after, word);
  if (word.of !== "charge") return;
  const charge = seen.charges.find(({ chargeId }) => chargeId === word.chargeId);
  if (!charge) return;
  const counted = { kept: charge.amount, captured: ownCaptured(seen) }[charge.status as string] ?? 0;
  const counts = word.outcome === "kept" ? charge.amount : 0;
  if (after.amounts.captured - seen.amounts.captured !== counts - counted)
    world.violate("an operator's word about a charge does not count", `${seen.sessionId} ${word.outcome}`);
}

function watchRefund(
  world: World,
  { sessionId, currency, refunds }: Payment,
  word: Extract<Word, { of: "refund" }>,
): void {
  const { made, amount = 0 } = refunds.find(({ refundId }) => refundId === word.refundId) ?? {};
  if (word.amount === undefined) return;
  if (fromMinorUnits(made ?? amount, currency) !== word.amount)
    world.violate("an operator's word about a refund does not count", `${sessionId} ${word.refundId}`);
}

/** Whether the operator records more of a refund than was requested. */
export const recordsMore = ({ currency, refunds }: Payment, word: Word): boolean =>
  word.of === "refund" &&
  refunds.some(
    ({ refundId, amount }) => refundId === word.refundId && (word.amount ?? 0) > fromMinorUnits(amount, currency),
  );
