import type { components, operations } from "./schema.d.ts";

type Schemas = components["schemas"];

export type Payment = Schemas["Payment"];
/** A session that was cancelled before it was requested: it charges no card, and cannot be requested for this terminal any more. */
export interface NeverRequested {
  readonly sessionID: string;
  readonly status: "neverRequested";
  readonly final: true;
}
export type Timeline = Schemas["Timeline"];
/** A page of a list of payments. `next` goes into `after` of the next call, with the same query. */
export type PaymentList = Schemas["PaymentList"];
/** Which payments are listed. */
export type PaymentListQuery = NonNullable<operations["pos-payments"]["parameters"]["query"]>;
export type TerminalStatus = Schemas["TerminalStatus"];
export type TerminalDay = Schemas["TerminalDay"];
export type Settlement = Schemas["Settlement"];
export type ActionRequest = Schemas["ActionRequest"];
export type Problem = Schemas["Problem"];
/** What programs act on in a problem. A later platform may send codes that this version does not list. */
export type ProblemCode = Problem["code"];

/** The body of a webhook, and an event of the feed. A later platform may send types that this version does not list: ignore them, and respond 2xx. */
export type WebhookEvent = Schemas["Event"];

/** A page of the feed. `next` goes into `after` of the next call. */
export type EventPage = Schemas["EventPage"];

/** `sessionID` names one payment for ever: make a new UUID for each payment, and store it before the request. */
export type PaymentRequest = Omit<Schemas["PaymentRequest"], "msgType">;
export type PaymentCancel = Omit<Schemas["PaymentCancel"], "msgType">;
export type PaymentCapture = Omit<Schemas["PaymentCapture"], "msgType">;
/** `refundID` names one refund for ever: make a new UUID for each refund, and store it before the request. */
export type PaymentRefund = Omit<Schemas["PaymentRefund"], "msgType" | "refundID"> & { readonly refundID: string };

/** `discountID` names one discount for ever. Exactly one of amount, percentage and voucher says what it is worth. */
export type AddDiscount = Pick<Schemas["AddDiscount"], "reason" | "totalVatAmount"> & {
  readonly sessionID: string;
  readonly discountID: string;
} & (
    | { readonly discountAmount: number; readonly discountPercent?: never; readonly voucherCode?: never }
    | { readonly discountPercent: number; readonly discountAmount?: never; readonly voucherCode?: never }
    | { readonly voucherCode: string; readonly discountAmount?: never; readonly discountPercent?: never }
  );

export type WritableStatus = Schemas["SetTerminalStatus"]["statusCode"];
export type ActionResponseCode = Schemas["ActionRequestResponse"]["responseCode"];
