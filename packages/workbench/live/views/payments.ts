import type { AlertView } from "./alerts.ts";
import type { LaneItem } from "./lanes.ts";
import type { PlaceView } from "./registered.ts";
import type { OutcomeView } from "./resolve.ts";

/** A line of the list of payments. */
export interface PaymentView extends PlaceView {
  /** Its identifier if it has no name. */
  readonly terminalName: string;
  /** Empty if neither the payment nor the registered terminal names the merchant. */
  readonly merchantName: string;
  /** `<partnerID>/<pointOfServiceID>/<sessionID>`. */
  readonly id: string;
  readonly partnerId: string;
  readonly sessionId: string;
  readonly status: string;
  /** The reason for this status, as a sentence. */
  readonly reason?: string;
  /** The terminal did not give the payment's own charge back, and there are no more tries. */
  readonly hasVoidFailed?: true;
  /** The amount to pay: the request less its discounts. */
  readonly amount: number;
  /** The customer's tip, which was approved in addition. Absent if none was asked for or recorded. */
  readonly givenTip?: number;
  readonly captured: number;
  /** The part of the captured amount that is tip. */
  readonly tip: number;
  readonly refunded: number;
  /** The merchant's money: captured less refunded. */
  readonly held: number;
  /** The outcome of its charge, of another charge or of a refund is unknown. */
  readonly isInDoubt: boolean;
  /** The merchant's money and the open money, in sentences. Absent while no money has moved. */
  readonly money?: string;
  readonly currency: string;
  readonly orderId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The number of open alerts. */
  readonly alerts: number;
  /** Counts the payment's changes. */
  readonly sequence: number;
}

/** `GET /payments/<id>`. */
export interface PaymentDetail extends PaymentView {
  readonly captureMode: string;
  /** The sentence for the till, if the terminal reported why the card was declined. */
  readonly decline?: string;
  readonly changes: readonly ChangeLine[];
  readonly charges: readonly {
    readonly chargeId: string;
    readonly amount: number;
    readonly currency: string;
    readonly status: string;
    /** The terminal's report against this status, as a clause. */
    readonly contradiction?: string;
    /** Its card, the acquirer's references, and why its return failed. */
    readonly lines: readonly string[];
  }[];
  readonly refunds: readonly {
    readonly refundId: string;
    readonly amount: number;
    readonly status: string;
    readonly reason?: string;
    /** Its card, the acquirer's references, or why it failed. */
    readonly lines: readonly string[];
  }[];
  /** The captures and refunds whose outcome is not known yet, and not in doubt. */
  readonly waits: readonly WaitView[];
  readonly discounts: readonly { readonly discountId: string; readonly amount: number; readonly status: string }[];
  readonly openAlerts: readonly AlertView[];
  /** The outcomes that an operator can record about its money. */
  readonly outcomes: readonly OutcomeView[];
  /** In time order. */
  readonly lanes: readonly LaneItem[];
  /** The number of items left out in the middle of `lanes`, if there were too many to draw. */
  readonly lanesLeftOut?: number;
  /** The text that `npm run admin -- payment why` prints about the payment. */
  readonly story: readonly string[];
}

/** The message of a capture or refund, until it has an outcome. */
export interface WaitView {
  /** Absent for the capture. */
  readonly refundId?: string;
  readonly amount: number;
  /** The end of its wait. It has no effect once the terminal has fetched the message. */
  readonly until: number;
  /** The terminal may have the message. */
  readonly isFetched: boolean;
}

/** One change of a payment. */
export interface ChangeLine {
  readonly sequence: number;
  readonly at: number;
  readonly what: string;
  readonly from?: string;
  readonly to: string;
  /** The reason for this status, as a sentence. */
  readonly reason?: string;
  /** The terminal's own text, or an operator's note for the partner. */
  readonly detail?: string;
  /** The operator who decided it. Partners do not see it. */
  readonly operator?: { readonly by: string; readonly why: string };
}
