import * as z from "zod";
import { fromMinorUnits } from "../../domain/money.ts";
import { vatAfterDiscounts } from "../../domain/payment/requests/discount.ts";
import { refundedAmount, refundPendingAmount } from "../../domain/payment/record/kept-money.ts";
import { isFinal, payableAmount, type Payment } from "../../domain/payment/record/payment.ts";
import { amount, currency } from "../amount.ts";
import {
  accessTokenID,
  captureMode,
  chargeID,
  createdAt,
  discountID,
  instant,
  merchantID,
  merchantName,
  merchantReferences,
  msgType,
  pointOfServiceID,
  pointOfServiceName,
  refundID,
  sessionID,
  updatedAt,
} from "../fields.ts";
import { identifier } from "../identifier.ts";
import { acquirer, card, receipt } from "./card-receipt.ts";
import {
  chargeStatus,
  discountStatus,
  discountStatusReason,
  paymentStatus,
  paymentStatusReason,
  refundStatus,
  refundStatusReason,
} from "./payment-values.ts";

const text = z.string();

const refund = z
  .object({
    refundID,
    refundAmount: amount,
    requestedAmount: amount.optional().meta({ description: "The requested amount, if another one was refunded." }),
    refundReason: text.meta({ description: "The reason of the refund." }),
    chargeID: chargeID
      .optional()
      .meta({ description: "The `kept` charge that is refunded. Absent for the payment's own charge." }),
    status: refundStatus,
    statusReason: refundStatusReason.optional(),
    statusDetail: text.optional().meta({ description: "The terminal's text for a failure." }),
    createdAt,
    updatedAt,
  })
  .meta({ id: "Refund", description: "Money that is returned to the customer." });

const charge = z
  .object({
    chargeID,
    amount: amount.meta({ description: "In the major unit of the charge's own currency." }),
    currency,
    status: chargeStatus,
    contradicted: z.boolean().optional().meta({
      description:
        "`true` if the terminal reported a void of the charge that nobody requested, or a capture of it in another currency. Until an operator decides, captures, cancels and refunds are refused.",
    }),
    card: card.optional(),
    acquirer: acquirer.optional(),
    createdAt,
    updatedAt,
  })
  .meta({ id: "Charge", description: "A charge of a card by the terminal." });

const discountTexts = {
  voucherUnavailable: "This voucher was used or ended before the discount was applied.",
  outcomeUnknown: "It is not known yet whether this discount was applied.",
} as const;

const discount = z
  .object({
    discountID,
    discountAmount: amount,
    discountPercent: z.number().optional().meta({ description: "The requested percentage." }),
    accessTokenID: accessTokenID.optional().meta({ description: "The voucher that pays for the discount." }),
    reason: text.optional().meta({ description: "The reason of the discount." }),
    status: discountStatus,
    statusReason: discountStatusReason.optional(),
    statusText: z
      .string()
      .optional()
      .meta({ description: "The reason as a sentence that a cashier can read to the customer." }),
    createdAt,
    updatedAt,
  })
  .meta({ id: "Discount", description: "A discount. It counts when the terminal has applied it." });

const amounts = z
  .object({
    requested: amount,
    discounted: amount,
    authorized: amount,
    captured: amount,
    refunded: amount,
    refundPending: amount,
  })
  .meta({ id: "PaymentAmounts", description: "All in the currency's major unit." });

/** A payment as partners see it: the same in every response and webhook. */
export const paymentObject = z
  .object({
    msgType: msgType("paymentResponse"),
    sessionID,
    _id: identifier.optional().meta({ description: "The `_id` of the first attempt." }),
    merchantID,
    merchantName: merchantName.optional(),
    pointOfServiceID,
    pointOfServiceName: pointOfServiceName.optional(),
    status: paymentStatus,
    statusReason: paymentStatusReason.optional(),
    statusDetail: text
      .optional()
      .meta({ description: "The terminal's text for a decline or failure, or our operator's note." }),
    final: z.boolean().meta({
      description:
        "The status does not change any more. Refunds, reversals and corrections may still change the amounts.",
    }),
    currency,
    captureMode,
    totalAmountInclVat: amount.meta({
      description: "The amount that the customer pays: the requested amount less applied discounts.",
    }),
    totalVatAmount: amount.optional().meta({ description: "The VAT in this amount." }),
    amounts,
    charges: z.array(charge).meta({ description: "Every charge of a card that the terminal has reported." }),
    refunds: z.array(refund).meta({ description: "Every refund, requested or recorded by an operator." }),
    discounts: z.array(discount).meta({ description: "Every discount that was requested." }),
    merchantReferences: merchantReferences.optional(),
    card: card.optional(),
    acquirer: acquirer.optional(),
    receipt: receipt.optional(),
    possibleDuplicateOf: identifier
      .optional()
      .meta({ description: "Another approved session of yours with the same merchant, order and amount." }),
    sequence: z
      .int()
      .meta({ description: "Rises with every change. The state with the higher number is the newer one." }),
    createdAt,
    updatedAt,
    expiresAt: instant.meta({
      description: "If there is no approval by then, the platform cancels the payment on the terminal.",
    }),
    captureBefore: instant.optional().meta({
      description:
        "If the payment is not captured by then, the authorization is voided. A failed capture can move it to a later time.",
    }),
  })
  .meta({ id: "Payment", description: "A payment. Every response and webhook has the same object." });
export type PaymentObject = z.infer<typeof paymentObject>;

// oxlint-disable-next-line max-lines-per-function -- it only lists members
export function toPaymentObject(payment: Payment): PaymentObject {
  const major = (minor: number) => fromMinorUnits(minor, payment.currency);
  const vat = vatAfterDiscounts(payment);
  const { requested, discounted, authorized, captured } = payment.amounts;
  return {
    msgType: "paymentResponse",
    sessionID: payment.asReceived.sessionId,
    _id: payment.requestId,
    merchantID: payment.asReceived.merchantId,
    merchantName: payment.merchantName,
    pointOfServiceID: payment.asReceived.terminalId,
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
    charges: payment.charges.map((charge) => ({
      chargeID: charge.chargeId,
      amount: fromMinorUnits(charge.amount, charge.currency),
      currency: charge.currency,
      status: charge.status,
      contradicted: charge.contradicted,
      card: charge.card,
      acquirer: charge.acquirer,
      createdAt: charge.createdAt,
      updatedAt: charge.updatedAt,
    })),
    refunds: payment.refunds.map((refund) => ({
      refundID: refund.idAsReceived,
      refundAmount: major(refund.made ?? refund.amount),
      requestedAmount: refund.made === undefined ? undefined : major(refund.amount),
      refundReason: refund.reason,
      chargeID: refund.chargeId,
      status: refund.status,
      statusReason: refund.statusReason,
      statusDetail: refund.statusDetail,
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
      statusText: discount.statusReason && discountTexts[discount.statusReason],
      createdAt: discount.createdAt,
      updatedAt: discount.updatedAt,
    })),
    merchantReferences: payment.references,
    card: payment.card,
    acquirer: payment.acquirer,
    receipt: payment.receipt && {
      customer: payment.receipt.customer?.slice(),
      merchant: payment.receipt.merchant?.slice(),
    },
    possibleDuplicateOf: payment.possibleDuplicateOf,
    sequence: payment.sequence,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
    expiresAt: payment.expiresAt,
    captureBefore: payment.captureBefore,
  };
}
