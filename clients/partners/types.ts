import type * as schemas from "./schema.ts";

export type Payment = schemas.Payment;
/** A session that was cancelled before it was requested. It charges no card, and can no longer be requested for this terminal. */
export interface NeverRequested {
  readonly sessionID: string;
  readonly status: "neverRequested";
  readonly final: true;
}
export type Timeline = schemas.Timeline;
/** A page of a payment's receipts. `next` goes into `after` of the next call. */
export type Receipts = schemas.Receipts;
export type ReceiptsQuery = NonNullable<schemas.PosPaymentReceiptsData["query"]>;
/** A page of a list of payments. `next` goes into `after` of the next call, with the same query. */
export type PaymentList = schemas.PaymentList;
/** The query of a list of payments. */
export type PaymentListQuery = NonNullable<schemas.PosPaymentsData["query"]>;
/** A terminal with its status, its merchant and its device. */
export type Terminal = schemas.PointOfService;
/** A page of your terminals. `next` goes into `after` of the next call, with the same query. */
export type TerminalList = schemas.PointOfServiceList;
export type TerminalListQuery = NonNullable<schemas.PointOfServicesData["query"]>;
export type TerminalStatus = schemas.TerminalStatus;
export type TerminalDay = schemas.TerminalDay;
/** The movements of a business day, or a page of them. `next` goes into `after` of the next call, with the same query. */
export type Settlement = schemas.Settlement;
export type SettlementQuery = NonNullable<schemas.SettlementsData["query"]>;
export type Booking = schemas.Booking;
export type SettlementDays = schemas.SettlementDays;
export type SettlementDaysQuery = NonNullable<schemas.SettlementDaysData["query"]>;
export type ActionRequest = schemas.ActionRequest;
/** The address of a test, if it is not your default one. */
export type WebhookTest = schemas.WebhookTest;
/** The result of a test event. */
export type WebhookTestResult = schemas.WebhookTestResult;
export type Problem = schemas.Problem;
/** The code that programs act on. A later platform may send codes that this version does not list. */
export type ProblemCode = Problem["code"];

/**
 * The body of a webhook, and an event of the feed. A later platform may send types that this version does not list. Ignore them, and
 * respond 2xx.
 */
export type WebhookEvent =
  | schemas.PaymentEvent
  | schemas.RefundEvent
  | schemas.ReversalEvent
  | schemas.DiscountEvent
  | schemas.TerminalDayEvent
  | schemas.SettlementEvent
  | schemas.ActionRequestEvent
  | WebhookTestEvent;

/** The event that a test sends. Its `data` has no members. */
export type WebhookTestEvent = Omit<schemas.WebhookTestEvent, "data"> & {
  readonly data: Readonly<Record<string, never>>;
};

/** A page of the feed. `next` goes into `after` of the next call. */
export type EventPage = Omit<schemas.EventPage, "events"> & { readonly events: readonly WebhookEvent[] };

/** `sessionID` names one payment permanently. Make a new UUID for each payment, and store it before the request. */
export type PaymentRequest = Omit<schemas.PaymentRequest, "msgType">;
/** It has no `refundID`: `withdrawRefund` withdraws a refund, and leaves the payment as it is. */
export type PaymentCancel = Omit<schemas.PaymentCancel, "msgType" | "refundID"> & { readonly refundID?: never };
/** A refund that the terminal is not to make any more. */
export type RefundWithdrawal = Required<Omit<schemas.PaymentCancel, "msgType">>;
export type PaymentCapture = Omit<schemas.PaymentCapture, "msgType">;
/** `refundID` names one refund permanently. Make a new UUID for each refund, and store it before the request. */
export type PaymentRefund = Omit<schemas.PaymentRefund, "msgType" | "refundID"> & { readonly refundID: string };

/** `discountID` names one discount permanently. Exactly one of amount, percentage and voucher gives its value. */
export type AddDiscount = Pick<schemas.AddDiscount, "reason" | "totalVatAmount"> & {
  readonly sessionID: string;
  readonly discountID: string;
} & (
    | { readonly discountAmount: number; readonly discountPercent?: never; readonly voucherCode?: never }
    | { readonly discountPercent: number; readonly discountAmount?: never; readonly voucherCode?: never }
    | { readonly voucherCode: string; readonly discountAmount?: never; readonly discountPercent?: never }
  );

export type WritableStatus = schemas.SetTerminalStatus["statusCode"];
export type ActionResponseCode = schemas.ActionRequestResponse["responseCode"];
