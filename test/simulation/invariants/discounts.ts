import type { TokenValue } from "../../../shared/domain/access-token-template.ts";
import { isFinal, wantedCharge, type Discount, type Payment } from "../../../shared/domain/payment/payment.ts";
import type { Plan } from "../actors/plan.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * Each discount was asked for and takes off what it says; those that were applied are what the card was not charged. None waits for an
 * answer when its payment is over.
 */
export function checkDiscounts(
  world: World,
  { plan, payment }: Session,
  { voucher, ending }: { readonly voucher: TokenValue; readonly ending: Ending },
): void {
  if (!payment) return;
  const { discounts, amounts, status } = payment;
  const at = `${plan.sessionId} (${status})`;
  let applied = 0;
  for (const discount of discounts) {
    const name = `${at} ${discount.discountId}`;
    const asked = expected(plan, discount, amounts.requested - applied, voucher);
    if (asked === undefined) world.violate("a discount that nobody asked for", name);
    else if (asked !== discount.amount)
      world.violate("a discount of another amount", `${name}: ${discount.amount} of ${asked}`);
    if (discount.status === "applied") applied += discount.amount;
    if (discount.status === "requested" && ending === "quiet" && isFinal(status))
      world.violate("a discount that is never settled", name);
  }
  for (const { discountId } of plan.known.discounts.filter((d) => d.isAccepted)) {
    if (!discounts.some((d) => d.discountId === discountId))
      world.violate("a discount was accepted, and is not there", `${at} ${discountId}`);
  }
  if (applied !== amounts.discounted) world.violate("discounts that do not add up", at);
  if (!isOfOwnAmount(payment)) world.violate("a charge that the discounts do not explain", at);
}

/** Only an operator's word makes another amount than was requested the wanted one. */
function isOfOwnAmount(payment: Payment): boolean {
  const { amounts, statusReason } = payment;
  const wanted = wantedCharge(payment);
  return !wanted || statusReason === "settledByOperator" || wanted.amount === amounts.requested - amounts.discounted;
}

/** What the discount takes off, in minor units, of what is left to pay; undefined where it was not asked for. */
function expected(
  { known }: Plan,
  { discountId, voucherTokenId }: Discount,
  left: number,
  voucher: TokenValue,
): number | undefined {
  const asked = known.discounts.find((d) => d.discountId === discountId)?.off;
  if (!asked || (asked === "voucher") !== (voucherTokenId !== undefined)) return undefined;
  const off = asked === "voucher" ? voucher : asked;
  return "amount" in off ? off.amount : Math.floor((left * Math.round(off.percent * 100) * 2 + 10_000) / 20_000);
}
