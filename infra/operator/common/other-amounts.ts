import { fromMinorUnits } from "../../../shared/domain/money.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import { capturedTip, ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import {
  payableAmount,
  type Discount,
  type Payment,
  type Refund,
} from "../../../shared/domain/payment/record/payment.ts";
import { madeAmounts, takenAmounts, type Reports } from "../../../shared/domain/payment/operator/reported-amounts.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { unexplainedTip } from "../../../shared/domain/payment/reports/explained.ts";

/** The possible causes of a payment's alert. */
export type Cause =
  | { readonly of: "charge"; readonly charge: Charge }
  | { readonly of: "refund"; readonly refund: Refund }
  | { readonly of: "discount"; readonly discount: Discount }
  | { readonly of: "payment" }
  | { readonly of: "unknown"; readonly about: string };

/**
 * The outcomes that record another amount of a captured charge or of a refund: the requested one, and each that the terminal reported. If a
 * tip was asked for, each amount has its most likely tip.
 */
export function otherAmounts(payment: Payment, cause: Cause, reports: Reports = []): readonly Outcome[] {
  const major = (minor: number) => fromMinorUnits(minor, payment.currency);
  const others = (booked: number, known: readonly number[]) => [...new Set(known)].filter((minor) => minor !== booked);
  if (cause.of === "charge" && cause.charge.status === "captured") {
    const { chargeId } = cause.charge;
    const requested = payment.captureAmount ?? payableAmount(payment) + capturedTip(payment, undefined);
    const known = [requested, ...takenAmounts(reports, payment, cause.charge)];
    const paid = { of: "payment", outcome: "paid", chargeId } as const;
    const tipIn = (amount: number) =>
      payment.tip?.asked && amount > payableAmount(payment) ? { tip: major(unexplainedTip(payment, { amount })) } : {};
    return others(ownCaptured(payment), known).map((amount) => ({ ...paid, amount: major(amount), ...tipIn(amount) }));
  }
  if (cause.of !== "refund" || cause.refund.status !== "succeeded") return [];
  const { refundId, amount: requested, made = requested } = cause.refund;
  const known = [requested, ...madeAmounts(reports, payment, cause.refund)];
  return others(made, known).map((amount) => ({ of: "refund", refundId, outcome: "succeeded", amount: major(amount) }));
}
