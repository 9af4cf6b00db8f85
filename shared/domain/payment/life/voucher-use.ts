import * as z from "zod";
import type { OfferedVoucher } from "../../effects.ts";
import { ownCaptured } from "../record/kept-money.ts";
import { isFinal, type Payment } from "../record/payment.ts";
import type { RecordOf } from "../../record.ts";

/** The use of a voucher: the payment that it reduces, and the discount there. */
export const voucherUseRecord = z.object({
  partnerId: z.string(),
  terminalId: z.string(),
  sessionId: z.string(),
  discountId: z.string(),
});
export interface VoucherUse extends RecordOf<typeof voucherUseRecord> {}

export const isSameUse = (one: VoucherUse | undefined, other: VoucherUse): boolean =>
  one?.partnerId === other.partnerId && one.sessionId === other.sessionId && one.discountId === other.discountId;

/**
 * A payment's decision on a voucher. `held`: the payment is, or may still be, captured with it. `spent` is final, and `free` unless an
 * operator records that the payment was paid with it.
 */
export type VoucherFate = "held" | "spent" | "free";

/** Whether the payment is captured, or an operator recorded its money after another end. */
const isPaid = (payment: Payment): boolean =>
  payment.status === "captured" || (isFinal(payment.status) && ownCaptured(payment) > 0);

/** The payment's decision on the voucher. It overrides everything that is stored with the voucher itself. */
export function voucherFate(payment: Payment, discountId: string): VoucherFate {
  const discount = payment.discounts.find((d) => d.discountId === discountId);
  if (!discount || discount.status === "refused") return "free";
  if (discount.status === "requested" && discount.statusReason === "outcomeUnknown") return "held";
  if (isPaid(payment)) return discount.status === "applied" ? "spent" : "free";
  return isFinal(payment.status) ? "free" : "held";
}

/** The vouchers that this change decided, to be redeemed or released. */
export const decidedVouchers = (before: Payment, next: Payment): readonly OfferedVoucher[] =>
  next.discounts.flatMap(({ voucherTokenId: tokenId, discountId }) => {
    const [was, is] = [voucherFate(before, discountId), voucherFate(next, discountId)];
    const isDecided = was !== is && was !== "spent" && is !== "held";
    return tokenId !== undefined && isDecided ? [{ tokenId, discountId }] : [];
  });
