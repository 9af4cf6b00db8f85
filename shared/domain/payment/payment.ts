import { z } from "zod";
import type { InboxSlot } from "../effects.ts";
import { minorUnits } from "../money.ts";
import type { RecordOf } from "../record.ts";
import { day, instant } from "../time.ts";

export const paymentStates = [
  "pending",
  "inProgress",
  "cancelRequested",
  "reconciling",
  "authorized",
  "captureRequested",
  "captured",
  "voidRequested",
  "voided",
  "cancelled",
  "declined",
  "expired",
  "failed",
] as const;
export type PaymentState = (typeof paymentStates)[number];

export const statusReasons = [
  "terminalBusy",
  "possibleDuplicate",
  "terminalUnreachable",
  "terminalRefused",
  "terminalReported",
  "cancelledByPartner",
  "cancelledByCustomer",
  "deadlinePassed",
  "lateApproval",
  "amountMismatch",
  "outcomeUnknown",
  "captureFailed",
  "captureNotDelivered",
  "voidFailed",
  "voidNotDelivered",
  "notCaptured",
  "settledByOperator",
] as const;
export type StatusReason = (typeof statusReasons)[number];

/** Who wants the payment gone; it decides between `cancelled` and `expired` when the terminal obeys. */
const cancelRequester = z.enum(["partner", "platform"]);
export type CancelRequester = RecordOf<typeof cancelRequester>;

/** Integer minor units of the payment's currency. */
const amountsRecord = z.object({
  requested: minorUnits,
  vat: minorUnits.optional(),
  discounted: minorUnits,
  authorized: minorUnits,
  captured: minorUnits,
});
export interface Amounts extends RecordOf<typeof amountsRecord> {}

const cardRecord = z.object({
  brand: z.string().optional(),
  last4: z.string().optional(),
  entryMode: z.string().optional(),
});
export interface CardDetails extends RecordOf<typeof cardRecord> {}

const acquirerRecord = z.object({
  authorisationCode: z.string().optional(),
  rrn: z.string().optional(),
  stan: z.string().optional(),
  tid: z.string().optional(),
  mid: z.string().optional(),
});
export interface AcquirerDetails extends RecordOf<typeof acquirerRecord> {}

const receiptRecord = z.object({
  customer: z.array(z.string()).optional(),
  merchant: z.array(z.string()).optional(),
});
export interface Receipt extends RecordOf<typeof receiptRecord> {}

/** Money on its way back to the customer; a payment stays `captured` while its refunds live their own lives. */
const refundRecord = z.object({
  /** In lower case; unique within the payment. */
  refundId: z.string(),
  /** The refundId as the caller spelled it, or as the platform made it. */
  idAsReceived: z.string(),
  /** What the caller named it by, as names are compared: a refundID, an idempotency key, both, or nothing. */
  names: z.array(z.string()),
  amount: minorUnits,
  /** What the terminal gave back, where that is less than was requested. */
  made: minorUnits.optional(),
  /** The kept charge that it gives back; absent where it is of the payment's own money. */
  chargeId: z.string().optional(),
  reason: z.string(),
  status: z.enum(["pending", "succeeded", "failed"]),
  statusReason: z.string().optional(),
  /** The terminal lost its memory while it had this to do: that nothing happened is not believed of it any more. */
  terminalForgot: z.boolean().optional(),
  /** The command whose message requests it from the terminal, and the sequence that the message is filed under. Inside, it is known by this. */
  commandId: z.string(),
  sequence: z.int(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Refund extends RecordOf<typeof refundRecord> {}
export type RefundState = Refund["status"];

/** A reduction offered to a running payment; it counts only once the terminal says that it applied it. */
const discountRecord = z.object({
  discountId: z.string(),
  amount: minorUnits,
  /** The VAT of the payment once this discount is applied, where the caller gave it; otherwise VAT shrinks in proportion. */
  vatAfter: minorUnits.optional(),
  percent: z.number().optional(),
  /** The access token that it spends, where it is a voucher. */
  voucherTokenId: z.string().optional(),
  /** The voucher is held for this payment; only then does the terminal get the discount. */
  reserved: z.boolean().optional(),
  reason: z.string().optional(),
  status: z.enum(["requested", "applied", "refused"]),
  /** Why the platform refused it, having never offered it to the terminal. */
  statusReason: z.literal("voucherUnavailable").optional(),
  commandId: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Discount extends RecordOf<typeof discountRecord> {}
export type DiscountState = Discount["status"];

export const chargeStates = [
  "authorized",
  "captured",
  "voided",
  "reversing",
  "reversed",
  "reversalFailed",
  "kept",
] as const;
export type ChargeState = (typeof chargeStates)[number];

/**
 * What a terminal did to a card. One charge of a payment is wanted at most: `authorized`, `captured` or `voided`, as the payment goes.
 * Every other one is given back: `reversing`, then `reversed` or `reversalFailed`; or an operator says that the merchant has kept it.
 */
const chargeRecord = z.object({
  /** Made by the terminal, one a charge. */
  chargeId: z.string(),
  /** Of the charge's own currency. */
  amount: minorUnits,
  currency: z.string(),
  status: z.enum(chargeStates),
  /** Tries to reverse it that have ended in vain. */
  tries: z.int(),
  /** The latest try to reverse it: the command whose deadline ends the try, and the sequence under which its message is filed. */
  reversal: z.object({ commandId: z.string(), sequence: z.int() }).optional(),
  card: cardRecord.optional(),
  acquirer: acquirerRecord.optional(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Charge extends RecordOf<typeof chargeRecord> {}

/** One payment session: all that is known of it, in one value with one ETag. */
export const paymentRecord = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  merchantId: z.string(),
  terminalId: z.string(),
  /** Identifiers as the caller spelled them; the ones above are in lower case. */
  asReceived: z.object({ sessionId: z.string(), merchantId: z.string(), terminalId: z.string() }),
  requestId: z.string().optional(),
  merchantName: z.string().optional(),
  terminalName: z.string().optional(),
  currency: z.string(),
  captureMode: z.enum(["manual", "automatic"]),
  lateApproval: z.enum(["void", "keep"]),
  webhookUrl: z.string().optional(),
  references: z.object({ orderId: z.string().optional(), paymentId: z.string().optional() }).optional(),
  confirmDuplicate: z.boolean(),
  /** The order is paid at most once; otherwise a repetition is only marked as a possible duplicate. */
  strictOrder: z.boolean(),
  possibleDuplicateOf: z.string().optional(),

  status: z.enum(paymentStates),
  statusReason: z.enum(statusReasons).optional(),
  /** The terminal's own words for a decline or failure. */
  statusDetail: z.string().optional(),
  sequence: z.int(),
  cancelRequestedBy: cancelRequester.optional(),
  amounts: amountsRecord,
  refunds: z.array(refundRecord),
  discounts: z.array(discountRecord),
  amountLocked: z.boolean(),
  charges: z.array(chargeRecord),
  /** The terminal lost its memory while it had this to do: that nothing happened is not believed of it any more. */
  terminalForgot: z.boolean().optional(),
  card: cardRecord.optional(),
  acquirer: acquirerRecord.optional(),
  receipt: receiptRecord.optional(),

  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
  captureBefore: instant.optional(),
  /** The day under which it is listed, which means also that it is listed as open. */
  listedOn: day.optional(),
  /** ETag of its entry as open, by which it leaves that list. */
  listedAs: z.string().optional(),
  /** The command that requested it: its message is the one that the terminal accepts. */
  requestedBy: z.string().optional(),
  /** What the partner wants captured; absent means all that was authorized. */
  captureAmount: minorUnits.optional(),
  /** The latest command that awaits the terminal's answer, with the sequence its message is filed under. */
  awaiting: z.object({ commandId: z.string(), sequence: z.int() }).optional(),
});
export interface Payment extends RecordOf<typeof paymentRecord> {}

const holdingTerminal: ReadonlySet<PaymentState> = new Set(["pending", "inProgress", "cancelRequested", "reconciling"]);
const unpaid: ReadonlySet<PaymentState> = new Set(["cancelled", "expired", "declined", "failed", "voided"]);

/** A terminal does one payment at a time: this one still keeps it. */
export const holdsTerminal = (state: PaymentState): boolean => holdingTerminal.has(state);

export const isFinal = (state: PaymentState): boolean => state === "captured" || unpaid.has(state);

export const refundedAmount = (payment: Payment): number => sum(payment.refunds, (r) => r.status === "succeeded");
export const refundPendingAmount = (payment: Payment): number => sum(payment.refunds, (r) => r.status === "pending");

const sum = (refunds: readonly Refund[], counts: (refund: Refund) => boolean): number =>
  refunds.reduce((total, refund) => total + (counts(refund) ? (refund.made ?? refund.amount) : 0), 0);

/** Where a message of the payment stands in its terminal's inbox; the request's own message has sequence 1. */
export const slotOf = (payment: Payment, sequence = 1): InboxSlot => ({
  createdAt: payment.createdAt,
  sessionId: payment.sessionId,
  sequence,
});

/** What the terminal shall charge, in minor units: the request less the discounts that it applied. */
export const payableAmount = (payment: Payment): number => payment.amounts.requested - payment.amounts.discounted;

/** The charge that the payment is about: approved in time, of an amount that was requested, and not given back. */
export const wantedCharge = ({ charges }: Pick<Payment, "charges">): Charge | undefined =>
  charges.find(({ status }) => status === "authorized" || status === "captured");

export const isGivenBack = ({ status }: Charge): boolean => status === "voided" || status === "reversed";

/** Nothing is to be done about it any more, beside the wanted charge. */
export const isClosed = (charge: Charge): boolean => isGivenBack(charge) || charge.status === "kept";
