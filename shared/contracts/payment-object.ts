import { vatAfterDiscounts } from "../domain/discount.ts";
import { fromMinorUnits } from "../domain/money.ts";
import { isFinal, payableAmount, refundedAmount, refundPendingAmount, type Payment } from "../domain/payment.ts";

/** A payment as partners see it: the same in every answer and webhook. Amounts are in the currency's major unit. */
export function toPaymentObject(payment: Payment) {
  const major = (minor: number) => fromMinorUnits(minor, payment.currency);
  const vat = vatAfterDiscounts(payment);
  const { requested, discounted, authorized, captured } = payment.amounts;
  return {
    msgType: "paymentResponse",
    sessionID: payment.spelled.sessionId,
    _id: payment.requestId,
    merchantID: payment.spelled.merchantId,
    merchantName: payment.merchantName,
    pointOfServiceID: payment.spelled.terminalId,
    pointOfServiceName: payment.terminalName,
    status: payment.status,
    statusReason: payment.statusReason,
    statusDetail: payment.statusDetail,
    final: isFinal(payment.status),
    currency: payment.currency,
    captureMode: payment.captureMode,
    totalAmountInclVat: major(payableAmount(payment)),
    totalVatAmount: vat === undefined ? undefined : major(vat),
    amounts: {
      requested: major(requested),
      discounted: major(discounted),
      authorized: major(authorized),
      captured: major(captured),
      refunded: major(refundedAmount(payment)),
      refundPending: major(refundPendingAmount(payment)),
    },
    refunds: payment.refunds.map((refund) => ({
      refundID: refund.refundId,
      refundAmount: major(refund.amount),
      refundReason: refund.reason,
      status: refund.status,
      statusReason: refund.statusReason,
      createdAt: refund.createdAt,
      updatedAt: refund.updatedAt,
    })),
    discounts: payment.discounts.map((discount) => ({
      discountID: discount.discountId,
      discountAmount: major(discount.amount),
      discountPercent: discount.percent,
      accessTokenID: discount.voucherTokenId,
      reason: discount.reason,
      status: discount.status,
      statusReason: discount.statusReason,
      createdAt: discount.createdAt,
      updatedAt: discount.updatedAt,
    })),
    merchantReferences: payment.references,
    card: payment.card,
    acquirer: payment.acquirer,
    receipt: payment.receipt,
    possibleDuplicateOf: payment.possibleDuplicateOf,
    sequence: payment.sequence,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
    expiresAt: payment.expiresAt,
    captureBefore: payment.captureBefore,
  };
}
export type PaymentObject = ReturnType<typeof toPaymentObject>;
