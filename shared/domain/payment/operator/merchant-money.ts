import { booksOf } from "../life/restoring.ts";
import { allTip, refundedAmount } from "../record/kept-money.ts";
import { contradictedCharge, isHeldBack, type Charge } from "../record/charge.ts";
import { isFinal, type Payment, type Refund } from "../record/payment.ts";

/** The members that show where a payment's money is. The record has them, and so do its other forms. */
export interface PaymentMoney extends Pick<
  Payment,
  "status" | "statusReason" | "restored" | "currency" | "amounts" | "ownTip"
> {
  readonly charges: readonly Pick<
    Charge,
    "chargeId" | "status" | "amount" | "currency" | "captured" | "contradicted" | "tip"
  >[];
  readonly refunds: readonly Pick<Refund, "refundId" | "status" | "statusReason" | "amount" | "made" | "tip">[];
}

/** Money of a payment that can still move, or whose place the platform does not know. */
export interface OpenMoney {
  readonly of: "charge" | "refund";
  /** The chargeId or the refundId. */
  readonly id: string;
  /**
   * `givingBack`: the terminal is to reverse the charge. `notGivenBack`: the terminal failed to reverse it. `pending`: the terminal is to
   * make the refund. `inDoubt`: the charge contradicts an operator's record, or the refund may have been made.
   */
  readonly is: "givingBack" | "notGivenBack" | "pending" | "inDoubt";
  /** Minor units of `currency`, above zero. */
  readonly amount: number;
  readonly currency: string;
}

/** The merchant's money of a payment, in minor units of the payment's currency. */
export interface MerchantMoney {
  readonly captured: number;
  /** The part of `captured` that is tip. */
  readonly tip: number;
  readonly refunded: number;
  /** Captured less refunded. Below zero only if an operator recorded more refunds than captures. */
  readonly held: number;
  /** The part of `held` that is tip. */
  readonly heldTip: number;
  /**
   * The payment's own charge. `unknown`: its outcome is not known, so `held` may be wrong. `underWay`: the terminal may charge, capture or
   * void it at this moment. `known`: `held` is right.
   */
  readonly own: "known" | "underWay" | "unknown";
  /** In the order of the charges, then of the refunds. This money is not part of `captured` or `refunded`. */
  readonly open: readonly OpenMoney[];
}

/**
 * The merchant's money of a payment according to the books, and the money that is still open. A charge that is given back or in doubt does
 * not count as the merchant's. A refund that may have been made does not count as refunded. Both are `open`.
 */
export function merchantMoney(payment: PaymentMoney): MerchantMoney {
  const { captured } = payment.amounts;
  const [refunded, tip] = [refundedAmount(payment), allTip(payment)];
  const held = captured - refunded;
  const heldTip = Math.max(0, Math.min(held, tip - refundedTip(payment)));
  return { captured, tip, refunded, held, heldTip, own: ownOf(payment), open: openOf(payment) };
}

const refundedTip = ({ refunds }: PaymentMoney): number =>
  refunds.reduce((sum, { status, tip = 0 }) => sum + (status === "succeeded" ? tip : 0), 0);

/**
 * An ended payment is known whatever its reason says, because a report or an operator ended it. A contradicted charge is not known, and
 * neither is an authorized one whose capture nobody requested.
 */
function ownOf(payment: PaymentMoney): MerchantMoney["own"] {
  const { status, statusReason } = payment;
  if (contradictedCharge(payment) || payment.charges.some(isHeldBack)) return "unknown";
  if (isFinal(status)) return "known";
  const isRestoring = booksOf(payment).query === "unanswered";
  if (status === "reconciling" || statusReason === "outcomeUnknown" || isRestoring) return "unknown";
  return status === "authorized" ? "known" : "underWay";
}

function openOf({ charges, refunds, currency: own }: PaymentMoney): readonly OpenMoney[] {
  const ofCharges = charges.flatMap(({ chargeId: id, status, amount, currency }): OpenMoney[] => {
    const is = openCharges[status as keyof typeof openCharges] as OpenMoney["is"] | undefined;
    return is ? [{ of: "charge", id, is, amount, currency }] : [];
  });
  const ofRefunds = refunds.flatMap(({ refundId: id, status, statusReason, amount }): OpenMoney[] => {
    const is = statusReason === "outcomeUnknown" ? "inDoubt" : "pending";
    return status === "pending" ? [{ of: "refund", id, is, amount, currency: own }] : [];
  });
  return [...ofCharges, ...ofRefunds];
}

const openCharges = { reversing: "givingBack", reversalFailed: "notGivenBack", inDoubt: "inDoubt" } as const;
