import type { InboxPlace, Mailing } from "../effects.ts";
import type { TerminalMessage } from "../terminal-message.ts";
import type { Instant } from "../time.ts";

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
export type AskedBy = "partner" | "platform";

/** Integer minor units of the payment's currency. */
export interface Amounts {
  readonly requested: number;
  readonly vat?: number | undefined;
  readonly discounted: number;
  readonly authorized: number;
  readonly captured: number;
}

export interface CardDetails {
  readonly brand?: string | undefined;
  readonly last4?: string | undefined;
  readonly entryMode?: string | undefined;
}
export interface AcquirerDetails {
  readonly authorisationCode?: string | undefined;
  readonly rrn?: string | undefined;
  readonly stan?: string | undefined;
  readonly tid?: string | undefined;
  readonly mid?: string | undefined;
}
export interface Receipt {
  readonly customer?: readonly string[] | undefined;
  readonly merchant?: readonly string[] | undefined;
}

export type RefundState = "pending" | "succeeded" | "failed";

/** Money on its way back to the customer; a payment stays `captured` while its refunds live their own lives. */
export interface Refund {
  readonly refundId: string;
  /** What the caller named it by: a refundID or an idempotency key; undefined when it named nothing. */
  readonly identity?: string | undefined;
  /** Integer minor units. */
  readonly amount: number;
  readonly reason: string;
  readonly status: RefundState;
  readonly statusReason?: string | undefined;
  /** The command whose message asks the terminal for it, and the sequence it is filed under. */
  readonly commandId: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type DiscountState = "requested" | "applied" | "refused";

/** A reduction offered to a running payment; it counts only once the terminal says that it applied it. */
export interface Discount {
  readonly discountId: string;
  /** Integer minor units. */
  readonly amount: number;
  /** The VAT of the payment once this discount is applied, where the caller gave it; otherwise VAT shrinks in proportion. */
  readonly vatAfter?: number | undefined;
  readonly percent?: number | undefined;
  /** The access token that it spends, where it is a voucher. */
  readonly voucherTokenId?: string | undefined;
  /** The voucher is held for this payment, and only then is the terminal told of it. */
  readonly reserved?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly status: DiscountState;
  /** Why the platform refused it, having never offered it to the terminal. */
  readonly statusReason?: "voucherUnavailable" | undefined;
  readonly commandId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One payment session: all that is known of it, in one value with one ETag. */
export interface Payment {
  readonly partnerId: string;
  readonly sessionId: string;
  readonly merchantId: string;
  readonly terminalId: string;
  /** Identifiers as the caller spelled them; the ones above are in lower case. */
  readonly spelled: { readonly sessionId: string; readonly merchantId: string; readonly terminalId: string };
  readonly requestId?: string | undefined;
  readonly merchantName?: string | undefined;
  readonly terminalName?: string | undefined;
  readonly currency: string;
  readonly captureMode: "manual" | "automatic";
  readonly lateApproval: "void" | "keep";
  readonly webhookUrl?: string | undefined;
  readonly references?: { readonly orderId?: string | undefined; readonly paymentId?: string | undefined } | undefined;
  readonly confirmDuplicate: boolean;
  /** The merchant wants an order paid at most once, not merely told of a possible duplicate. */
  readonly strictOrder: boolean;
  readonly possibleDuplicateOf?: string | undefined;

  readonly status: PaymentState;
  readonly statusReason?: StatusReason | undefined;
  /** The terminal's own words for a decline or failure. */
  readonly statusDetail?: string | undefined;
  readonly sequence: number;
  readonly asked?: AskedBy | undefined;
  readonly amounts: Amounts;
  readonly refunds: readonly Refund[];
  readonly discounts: readonly Discount[];
  readonly amountLocked: boolean;
  /** Authorisations recorded, so that an approval told twice is known. */
  readonly approvals: readonly string[];
  readonly card?: CardDetails | undefined;
  readonly acquirer?: AcquirerDetails | undefined;
  readonly receipt?: Receipt | undefined;

  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly expiresAt: Instant;
  readonly captureBefore?: Instant | undefined;
  /** What the partner asked to capture, in minor units; absent means all that was authorized. */
  readonly captureAmount?: number | undefined;
  /** The command whose message asks the terminal to pay. */
  readonly requestCommandId: string;
  /** The latest command that awaits the terminal's answer, with the sequence its message is filed under. */
  readonly awaiting?: { readonly commandId: string; readonly sequence: number } | undefined;
}

const holdingTerminal: ReadonlySet<PaymentState> = new Set(["pending", "inProgress", "cancelRequested", "reconciling"]);
const unpaid: ReadonlySet<PaymentState> = new Set(["cancelled", "expired", "declined", "failed", "voided"]);

/** A terminal does one payment at a time: this one still keeps it. */
export const holdsTerminal = (state: PaymentState): boolean => holdingTerminal.has(state);

export const isFinal = (state: PaymentState): boolean => state === "captured" || unpaid.has(state);

export const refundedAmount = (payment: Payment): number => sum(payment.refunds, (r) => r.status === "succeeded");
export const refundPendingAmount = (payment: Payment): number => sum(payment.refunds, (r) => r.status === "pending");

const sum = (refunds: readonly Refund[], counts: (refund: Refund) => boolean): number =>
  refunds.reduce((total, refund) => total + (counts(refund) ? refund.amount : 0), 0);

/** An order is taken by a payment that is approved or may still be; a full refund frees it. */
export const holdsOrder = (payment: Payment): boolean =>
  !unpaid.has(payment.status) &&
  !(payment.status === "captured" && refundedAmount(payment) >= payment.amounts.captured);

/** Where a message of the payment stands in its terminal's inbox; the request's own message has sequence 1. */
export const placeOf = (payment: Payment, sequence = 1): InboxPlace => ({
  createdAt: payment.createdAt,
  sessionId: payment.sessionId,
  sequence,
});

/** A message of the payment, filed under the sequence of the change that sends it. */
export const mailing = (payment: Payment, message: TerminalMessage): Mailing => ({
  terminalId: payment.terminalId,
  place: placeOf(payment, payment.sequence),
  spelledSessionId: payment.spelled.sessionId,
  message,
});

/** What the terminal shall charge, in minor units: the request less the discounts that it applied. */
export const payableAmount = (payment: Payment): number => payment.amounts.requested - payment.amounts.discounted;
