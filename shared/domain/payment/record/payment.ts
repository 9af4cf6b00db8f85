import * as z from "zod";
import type { InboxSlot } from "../../effects.ts";
import { minorUnits } from "../../minor-units.ts";
import type { RecordOf } from "../../record.ts";
import { acquirerRecord, cardRecord, evidenceRecord, receiptRecord } from "./card.ts";
import { chargeRecord } from "./charge.ts";
import { instant } from "../../time.ts";
import { correctionRecord } from "./correction.ts";
import { deadlineRecord } from "./deadline.ts";
import { declineShape } from "./decline-code.ts";
import { tipRecord } from "./tip.ts";

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
  "notCaptured",
  "settledByOperator",
] as const;
export type StatusReason = (typeof statusReasons)[number];

/** The requester of the cancel. It decides between `cancelled` and `expired` when the terminal obeys. */
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

const refundReasons = [
  "notDelivered",
  "cancelledByPartner",
  "outcomeUnknown",
  "terminalReported",
  "settledByOperator",
  "exceedsRefundable",
  "alreadyRefunded",
  "chargeContradicted",
  "amountDiffers",
] as const;
export type RefundReason = (typeof refundReasons)[number];

/** A refund. A payment stays `captured` while its refunds are carried out. */
const refundRecord = z.object({
  /** In lower case; unique within the payment. */
  refundId: z.string(),
  /** The refundID as received from the caller, or as the platform made it. */
  idAsReceived: z.string(),
  /** The caller's names for it, in the form in which names are compared: a refundID, an idempotency key, both, or neither. */
  names: z.array(z.string()),
  amount: minorUnits,
  /** The amount that the card got, if it is not the requested one. Only an operator records more. */
  made: minorUnits.optional(),
  /** The part of a succeeded refund that is tip, set when it was made. */
  tip: minorUnits.optional(),
  /** The kept charge that it gives back. Absent if it is a refund of the payment's own money. */
  chargeId: z.string().optional(),
  reason: z.string(),
  status: z.enum(["pending", "succeeded", "failed"]),
  statusReason: z.enum(refundReasons).optional(),
  statusDetail: z.string().optional(),
  ...declineShape,
  /** The details in the report that it was made. */
  ...evidenceRecord.shape,
  /** The terminal lost its memory while it had this to do. From then on, its reports that nothing happened are not believed. */
  terminalForgot: z.boolean().optional(),
  /** The sequence of the status query that a restore sent about it, until the terminal has answered the query. */
  restored: z.int().optional(),
  /** The end of the time for which its message waits for the terminal. Absent if no message was sent, or before this was kept. */
  deliverBefore: instant.optional(),
  /** The command that added it, and the sequence of its message to the terminal, if any. The command identifies the refund. */
  commandId: z.string(),
  sequence: z.int(),
  correction: correctionRecord.optional(),
  /**
   * The acquirer's reference of a refund outside the platform, for operators only. An operator recorded this refund, and no terminal knows
   * of it. Absent for every other refund.
   */
  outsideReference: z.string().optional(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Refund extends RecordOf<typeof refundRecord> {}
export type RefundState = Refund["status"];

/** A reduction that is offered to a running payment. It counts only after the terminal reports it as applied. */
const discountRecord = z.object({
  discountId: z.string(),
  name: z.string().optional(), // the idempotency key that it was requested with
  amount: minorUnits,
  /** The payment's VAT with this discount applied, if the caller gave it. Otherwise VAT shrinks in proportion. */
  vatAfter: minorUnits.optional(),
  percent: z.number().optional(),
  /** The access token that it redeems, if it is a voucher. */
  voucherTokenId: z.string().optional(),
  /** The voucher is reserved for this payment. The terminal gets the discount only after this. */
  reserved: z.boolean().optional(),
  reason: z.string().optional(),
  status: z.enum(["requested", "applied", "refused"]),
  /** `voucherUnavailable`: the terminal never got it. `outcomeUnknown`: the paid amount does not show it, so its voucher stays held. */
  statusReason: z.enum(["voucherUnavailable", "outcomeUnknown"]).optional(),
  commandId: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
export interface Discount extends RecordOf<typeof discountRecord> {}
export type DiscountState = Discount["status"];

/** One payment session. Everything that is known of it is in one record with one ETag. */
export const paymentRecord = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  merchantId: z.string(),
  terminalId: z.string(),
  /** Identifiers as received from the caller; the ones above are in lower case. */
  asReceived: z.object({ sessionId: z.string(), merchantId: z.string(), terminalId: z.string() }),
  requestId: z.string().optional(),
  merchantName: z.string().optional(),
  terminalName: z.string().optional(),
  currency: z.string(),
  captureMode: z.enum(["manual", "automatic"]),
  lateApproval: z.enum(["void", "keep"]),
  webhookUrl: z.string().optional(),
  /** The partner's own names and values. No terminal gets them. */
  metadata: z.record(z.string(), z.string()).optional(),
  references: z.object({ orderId: z.string().optional(), paymentId: z.string().optional() }).optional(),
  /** The question for a tip. Absent if the partner requested none. */
  tip: tipRecord.optional(),
  confirmDuplicate: z.boolean(),
  /** The merchant has each order paid at most once. Otherwise a repeated order is only marked as a possible duplicate. */
  strictOrder: z.boolean(),
  possibleDuplicateOf: z.string().optional(),

  status: z.enum(paymentStates),
  statusReason: z.enum(statusReasons).optional(),
  /** The terminal's own text on a decline or failure. */
  statusDetail: z.string().optional(),
  ...declineShape,
  sequence: z.int(),
  cancelRequestedBy: cancelRequester.optional(),
  /** The partner requested a cancel too, after the platform. */
  partnerCancelled: z.boolean().optional(),
  amounts: amountsRecord,
  refunds: z.array(refundRecord),
  /** Hashes of the names of refunds that left the record, because their terminal never got them, with the sequences of their messages. */
  undelivered: z.record(z.string(), z.int()).optional(),
  /** The sequences of those that their partner withdrew. */
  withdrawn: z.array(z.int()).optional(),
  discounts: z.array(discountRecord),
  amountLocked: z.boolean(),
  charges: z.array(chargeRecord),
  /** Charges that the books lack, and of which a void was reported. A late approval of one is contradicted. */
  voidedUnknown: z.array(z.string()).optional(),
  /** The correction of the payment's own money while no charge of it is known. */
  correction: correctionRecord.optional(),
  /** The tip in the payment's own money while no charge of it is known, as an operator recorded it. */
  ownTip: minorUnits.optional(),
  /** The terminal lost its memory while it had this to do. From then on, its reports that nothing happened are not believed. */
  terminalForgot: z.boolean().optional(),
  /**
   * The sequence of the status query that a restore sent, until the terminal has answered it. The terminal may know more than the books.
   */
  restored: z.int().optional(),
  card: cardRecord.optional(),
  acquirer: acquirerRecord.optional(),
  receipt: receiptRecord.optional(),

  createdAt: instant,
  updatedAt: instant,
  expiresAt: instant,
  captureBefore: instant.optional(),
  /** The time for which the message of the latest capture waits for its terminal. */
  captureWaits: z.object({ since: instant, until: instant }).optional(),
  /**
   * The sequence of the status query at `captureBefore`, after a capture that failed. If the terminal answers that it still holds the
   * authorization, that is voided.
   */
  askedToVoid: z.int().optional(),
  /** The command of its request. The terminal accepts the message of this command. */
  requestedBy: z.string(),
  /** An import gave the terminal's claim to another running payment. The end of this one leaves the claim alone. */
  unclaimed: z.literal(true).optional(),
  /** The amount that the partner requested to capture, in minor units; absent means all that was authorized. */
  captureAmount: minorUnits.optional(),
  /** The latest command whose message awaits the terminal's answer, with the sequence of that message. */
  awaiting: z.object({ commandId: z.string(), sequence: z.int() }).optional(),
  /** Everything that the payment awaits, and until when, the earliest first. */
  deadlines: z.array(deadlineRecord),
});
export interface Payment extends RecordOf<typeof paymentRecord> {}

const holdingTerminal: ReadonlySet<PaymentState> = new Set(["pending", "inProgress", "cancelRequested", "reconciling"]);
const unpaid: ReadonlySet<PaymentState> = new Set(["cancelled", "expired", "declined", "failed", "voided"]);

/** Whether a payment in this state occupies its terminal, which takes one payment at a time. */
export const holdsTerminal = (state: PaymentState): boolean => holdingTerminal.has(state);

/** Whether the partner requested a cancel, before or after the platform. From then on no approval is in time. */
export const isCalledOff = ({
  cancelRequestedBy,
  partnerCancelled,
}: Pick<Payment, "cancelRequestedBy" | "partnerCancelled">): boolean =>
  cancelRequestedBy === "partner" || partnerCancelled === true;

export const isFinal = (state: PaymentState): boolean => state === "captured" || unpaid.has(state);

/** The slot of a message of the payment in its terminal's inbox. The request's own message has sequence 1. */
export const slotOf = (payment: Payment, sequence = 1): InboxSlot => ({
  createdAt: payment.createdAt,
  sessionId: payment.sessionId,
  sequence,
});

/** The amount that the terminal is to charge, in minor units: the request less the discounts that it applied. */
export const payableAmount = (payment: Pick<Payment, "amounts">): number =>
  payment.amounts.requested - payment.amounts.discounted;
