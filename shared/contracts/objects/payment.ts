import * as z from "zod";
import { fromMinorUnits } from "../../domain/money.ts";
import { vatAfterDiscounts } from "../../domain/payment/requests/discount.ts";
import { allTip, givenTip, refundedAmount, refundPendingAmount } from "../../domain/payment/record/kept-money.ts";
import { isFinal, payableAmount, type Payment } from "../../domain/payment/record/payment.ts";
import { amount, currency } from "../amount.ts";
import {
  captureMode,
  createdAt,
  instant,
  merchantID,
  merchantName,
  merchantReferences,
  metadata,
  msgType,
  pointOfServiceID,
  pointOfServiceName,
  sessionID,
  updatedAt,
} from "../fields.ts";
import { identifier } from "../identifier.ts";
import { acquirer, card, receipt } from "./card-receipt.ts";
import { declineCode, hostCode } from "./decline-codes.ts";
import { charge, discount, discountTexts, fetched, refund } from "./payment-parts.ts";
import { paymentStatus, paymentStatusReason } from "./payment-values.ts";

const text = z.string();

const amounts = z
  .object({
    requested: amount,
    discounted: amount,
    authorized: amount,
    captured: amount,
    tip: amount.optional().meta({ description: "The part of `captured` that is tip, before any refund." }),
    refunded: amount,
    refundPending: amount,
  })
  .meta({ id: "PaymentAmounts", description: "All in the currency's major unit." });

const tip = z
  .object({
    asked: z.boolean().meta({
      description: "Whether the terminal was told to ask. `false` if it cannot ask, or if no choice was left.",
    }),
    amount: amount.optional().meta({ description: "The tip in the approved amount. Absent if it is not known." }),
  })
  .meta({ id: "PaymentTip", description: "The customer's tip. Absent if none was requested." });

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
    statusDetail: text.optional().meta({
      description:
        "The terminal's text for a decline or failure, our operator's note, or why an amount cannot have a tip.",
    }),
    declineCode: declineCode.optional(),
    hostCode: hostCode.optional(),
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
    tip: tip.optional(),
    charges: z.array(charge).meta({ description: "Every charge of a card that the terminal has reported." }),
    refunds: z.array(refund).meta({ description: "Every refund, requested or recorded by an operator." }),
    discounts: z.array(discount).meta({ description: "Every discount that was requested." }),
    merchantReferences: merchantReferences.optional(),
    metadata: metadata.optional(),
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
        "If you have not asked to capture the payment by then, the authorization is voided. If a capture failed, it is voided once the terminal says that it still holds the money. A failed capture can move this to a later time.",
    }),
    deliverBefore: instant.optional().meta({
      description:
        "If the terminal has not fetched the requested capture by then, the payment is `authorized` again, as `captureNotDelivered`.",
    }),
    fetched,
  })
  .meta({ id: "Payment", description: "A payment. Every response and webhook has the same object." });
export type PaymentObject = z.infer<typeof paymentObject>;

/** Whether a message of this status waits for its terminal. Once its outcome is in doubt, it waits no longer. */
const waits = (
  one: { readonly status: string; readonly statusReason?: string | undefined },
  status: "captureRequested" | "pending",
): boolean => one.status === status && one.statusReason !== "outcomeUnknown";

/** The tip, and the part of the captured amount that is tip. Neither is shown if no tip was requested or given. */
function tipsOf(payment: Payment, major: (minor: number) => number) {
  const [given, captured] = [givenTip(payment), allTip(payment)];
  if (!payment.tip && given === undefined && captured === 0) return {};
  const amount = given === undefined ? undefined : major(given);
  return { tip: { asked: payment.tip?.asked ?? false, amount }, captured: major(captured) };
}

/**
 * A payment as partners see it.
 *
 * @param unfetched the sequences of its messages that the terminal has certainly not fetched. Undefined if that was not read
 */
// oxlint-disable-next-line max-lines-per-function -- it only lists members
export function toPaymentObject(payment: Payment, unfetched?: ReadonlySet<number>): PaymentObject {
  const fetchedOf = (sequence: number | undefined) =>
    unfetched && sequence !== undefined ? !unfetched.has(sequence) : undefined;
  const major = (minor: number) => fromMinorUnits(minor, payment.currency);
  const vat = vatAfterDiscounts(payment);
  const { requested, discounted, authorized, captured } = payment.amounts;
  const tips = tipsOf(payment, major);
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
    declineCode: payment.declineCode,
    hostCode: payment.hostCode,
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
      tip: tips.captured,
      refunded: major(refundedAmount(payment)),
      refundPending: major(refundPendingAmount(payment)),
    },
    tip: tips.tip,
    charges: payment.charges.map((charge) => ({
      chargeID: charge.chargeId,
      amount: fromMinorUnits(charge.amount, charge.currency),
      currency: charge.currency,
      status: charge.status,
      contradicted: charge.contradicted,
      card: charge.card,
      acquirer: charge.acquirer,
      capture: charge.captureEvidence,
      reversal: charge.reversalEvidence,
      declineCode: charge.declineCode,
      hostCode: charge.hostCode,
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
      declineCode: refund.declineCode,
      hostCode: refund.hostCode,
      card: refund.card,
      acquirer: refund.acquirer,
      ...(waits(refund, "pending") && {
        deliverBefore: refund.deliverBefore,
        fetched: fetchedOf(refund.sequence),
      }),
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
    metadata: payment.metadata,
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
    ...(waits(payment, "captureRequested") && {
      deliverBefore: payment.captureWaits?.until,
      fetched: fetchedOf(payment.awaiting?.sequence),
    }),
  };
}
