import type { Alert } from "../../../shared/domain/alert.ts";
import type { TokenValue } from "../../../shared/domain/access-token-template.ts";
import { wantedCharge } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, type Discount, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { Plan } from "../actors/plan.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** Whether the paid amount does not show if the discount was applied. An operator was called about it. */
export const isInDoubt = ({ discountId, statusReason }: Discount, alerts: readonly Alert[]): boolean =>
  statusReason === "outcomeUnknown" &&
  alerts.some(({ kind, about }) => kind === "amountDiffers" && about === discountId);

/**
 * Each discount was requested and has its requested value. The applied discounts are the difference between the requested and the charged
 * amount. No discount is outstanding after its payment has ended.
 */
export function checkDiscounts(
  world: World,
  { plan, payment, history, alerts }: Session,
  { voucher, ending, ledger }: { readonly voucher: TokenValue; readonly ending: Ending; readonly ledger: CardLedger },
): void {
  if (!payment) return;
  const { discounts, amounts, status } = payment;
  const at = `${plan.sessionId} (${status})`;
  let applied = 0;
  for (const discount of discounts) {
    const name = `${at} ${discount.discountId}`;
    const due = expected(plan, discount, amounts.requested - applied, voucher);
    if (due === undefined) world.violate("a discount without a request", name);
    else if (due !== discount.amount)
      world.violate("a discount of a wrong amount", `${name}: ${discount.amount} of ${due}`);
    if (discount.status === "applied") applied += discount.amount;
    // The terminal's answer under a used identifier is only shown to an operator, and changes no payment.
    const isUnknown = ending !== "quiet" || !isFinal(status) || ledger.isUnheard(plan.sessionId);
    const mayBeOpen = isUnknown || isInDoubt(discount, alerts);
    if (discount.status === "requested" && !mayBeOpen) world.violate("a discount is never concluded", name);
  }
  for (const { discountId } of plan.known.discounts.filter((d) => d.isAccepted)) {
    if (!discounts.some((d) => d.discountId === discountId))
      world.violate("an accepted discount is missing", `${at} ${discountId}`);
  }
  if (applied !== amounts.discounted) world.violate("the sum of the discounts is wrong", at);
  // After a restore an approval of another amount is kept, with an alert, because a lost discount may explain it. If the whole payment is
  // lost and was requested again, its terminal reports the lost charge.
  const isCorrected = history.some(({ event }) => event === "corrected" || event === "restored");
  const isLost = world.lostTime.sessions.has(plan.sessionId);
  if (!isCorrected && !isLost && !isOfOwnAmount(payment))
    world.violate("a charge that the discounts do not explain", at);
}

/** Only an operator's resolution or correction accepts a charge of another amount. */
function isOfOwnAmount(payment: Payment): boolean {
  const { amounts, statusReason } = payment;
  const wanted = wantedCharge(payment);
  const due = amounts.requested - amounts.discounted + (wanted?.tip ?? 0);
  return !wanted || statusReason === "settledByOperator" || wanted.amount === due;
}

/** The value of the discount in minor units of the remaining amount; undefined if it was not requested. */
function expected(
  { known }: Plan,
  { discountId, voucherTokenId }: Discount,
  left: number,
  voucher: TokenValue,
): number | undefined {
  const requested = known.discounts.find((d) => d.discountId === discountId)?.off;
  if (!requested || (requested === "voucher") !== (voucherTokenId !== undefined)) return undefined;
  const off = requested === "voucher" ? voucher : requested;
  return "amount" in off ? off.amount : Math.floor((left * Math.round(off.percent * 100) * 2 + 10_000) / 20_000);
}
