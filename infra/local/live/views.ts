// What the live page shows. The server makes these views from what the parts of the local cloud publish, and the page draws them: both sides
// import this file, which imports nothing. Times are milliseconds since 1970, amounts are minor units.

/** All that the page has when it opens. Lists are the newest first, and bounded. */
export interface Snapshot {
  readonly stack: StackView;
  readonly terminals: readonly TerminalView[];
  readonly payments: readonly PaymentView[];
  readonly webhooks: readonly WebhookView[];
  readonly mails: readonly MailView[];
  readonly calls: readonly CallView[];
  /** The newest business day of each terminal of which the platform has one. */
  readonly days: readonly DayView[];
  readonly alerts: readonly AlertView[];
  readonly queues: readonly QueueView[];
  readonly faults: readonly FaultView[];
  readonly receiver: ReceiverView;
}

/**
 * What has changed, as one event of the stream. Of the long lists (`payments`, `webhooks`, `mails`, `calls`) it holds the items that are new
 * or changed, by `id`; every other member is whole.
 */
export type Change = Partial<Omit<Snapshot, "stack">>;

/** The most items of each long list, on the server and on the page. */
export const LONGEST = { payments: 2_000, webhooks: 500, mails: 200, calls: 500 } as const;

/** Addresses and keys of the running demo. The keys open nothing but this stack. */
export interface StackView {
  readonly partnersUrl: string;
  readonly terminalsUrl: string;
  readonly consumerUrl: string;
  readonly referenceUrl: string | undefined;
  /** The sample landing page, on which a customer asks for the demo's voucher. */
  readonly landingPageUrl: string | undefined;
  readonly webhookUrl: string;
  readonly partnerID: string;
  readonly merchantID: string;
  readonly webhookSecret: string;
  readonly templateAccessTokenID: string;
  readonly keyTemplateAccessTokenID: string | undefined;
  readonly version: string;
  /** What the autopilot plays, by the last two digits of an amount in minor units. Every other amount is approved. */
  readonly scripts: readonly { readonly digits: string; readonly name: string }[];
  /** The names that a fault can be put on. */
  readonly tables: readonly string[];
  readonly queueNames: readonly string[];
}

/** A terminal of the demo, as a person in front of it sees it. */
export interface TerminalView {
  /** Its pointOfServiceID. */
  readonly id: string;
  readonly name: string;
  /** `person`: played on the page; `autopilot`: plays by itself; `none`: nothing plays it here. */
  readonly player: "person" | "autopilot" | "none";
  /** `lost`: it has power and no network. */
  readonly power: "on" | "off" | "lost";
  /** What its display shows. */
  readonly display: DisplayView;
  /** Reports that wait to be sent. */
  readonly unsent: number;
  /** The business day that it closes next, as it has counted it; of a terminal that is played here. */
  readonly day?: CountedDay;
  /** Its last exchanges with the platform, the newest first: at most 20. */
  readonly journal: readonly JournalLine[];
}

export interface CountedDay {
  /** `2026-11-21`. */
  readonly businessDay: string;
  /** By currency. Sums are minor units. */
  readonly totals: readonly {
    readonly currency: string;
    readonly captures: number;
    readonly captured: number;
    readonly refunds: number;
    readonly refunded: number;
    readonly reversals: number;
    readonly reversed: number;
  }[];
}

/** A terminal's business day, as the platform has compared it with its books. */
export interface DayView {
  readonly terminalId: string;
  /** `2026-11-21`. */
  readonly businessDay: string;
  readonly status: string;
  /** Until when a difference is not final. */
  readonly graceEndsAt?: number;
  /** How terminal and books differ, a line for each difference. */
  readonly differences: readonly string[];
}

export interface DisplayView {
  readonly mode: "off" | "idle" | "payment" | "working" | "approved" | "declined" | "cancelled" | "failed" | "question";
  /** One line for the customer: "Present card", for instance. */
  readonly prompt: string;
  readonly sessionId?: string;
  readonly merchantName?: string;
  readonly amount?: number;
  readonly vat?: number;
  /** Already taken off `amount`. */
  readonly discount?: number;
  readonly currency?: string;
  /** When the payment's offer ends at this terminal. */
  readonly expiresAt?: number;
}

export interface JournalLine {
  readonly at: number;
  readonly direction: "in" | "out";
  /** The message's or report's type. */
  readonly type: string;
  readonly sessionId?: string;
  /** The status of the platform's response, of what was sent. */
  readonly status?: number;
}

/** What a person does at a terminal: the body of `POST /terminals/<id>`. */
export type TerminalDeed =
  | { readonly do: "tap" | "insert" | "decline" | "cancel" }
  /** Approves this amount in place of the requested one. */
  | { readonly do: "approveOther"; readonly amount: number }
  /** Charges a second card for the payment that was approved last. */
  | { readonly do: "secondCard" }
  /** Reports its last approval again, under a new reportID. */
  | { readonly do: "answerTwice" }
  | { readonly do: "pullPlug"; readonly forget: boolean }
  | { readonly do: "powerOn" | "loseNetwork" | "findNetwork" }
  /** Closes the terminal's business day: truly, or with a lie about its captured payments. */
  | { readonly do: "closeDay"; readonly lie?: "leavesOneOut" | "countsOneTwice" | undefined }
  | { readonly do: "askPartner"; readonly actionCode: string; readonly description: string };

/** `GET /rehearsal`: when the page of the last rehearsal was written, which is at `/rehearsal/page`; without a time where there is none. */
export interface RehearsalView {
  readonly at?: number;
}

/** A line of the list of payments. */
export interface PaymentView {
  /** `<partnerID>/<sessionID>`. */
  readonly id: string;
  readonly partnerId: string;
  readonly sessionId: string;
  readonly terminalId: string;
  readonly terminalName: string;
  readonly merchantName: string;
  readonly status: string;
  readonly statusReason?: string;
  readonly amount: number;
  readonly captured: number;
  readonly refunded: number;
  readonly currency: string;
  readonly orderId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Open alerts. */
  readonly alerts: number;
  /** Counts the payment's changes. */
  readonly sequence: number;
}

/** `GET /payments/<id>`. */
export interface PaymentDetail extends PaymentView {
  readonly captureMode: string;
  readonly changes: readonly ChangeLine[];
  readonly charges: readonly {
    readonly chargeId: string;
    readonly amount: number;
    readonly currency: string;
    readonly status: string;
    readonly card?: string;
  }[];
  readonly refunds: readonly {
    readonly refundId: string;
    readonly amount: number;
    readonly status: string;
    readonly reason?: string;
  }[];
  readonly discounts: readonly { readonly discountId: string; readonly amount: number; readonly status: string }[];
  readonly openAlerts: readonly AlertView[];
  /** In the order of time. */
  readonly lanes: readonly LaneItem[];
  /** How many items are left out of the middle of `lanes`, where there were too many to draw. */
  readonly lanesLeftOut?: number;
  /** The operator's account of the payment, as `npm run admin -- payment why` prints it. */
  readonly story: readonly string[];
}

/** One change of a payment. */
export interface ChangeLine {
  readonly sequence: number;
  readonly at: number;
  readonly what: string;
  readonly from?: string;
  readonly to: string;
  readonly reason?: string;
  readonly detail?: string;
}

export const lanes = ["partner", "gateway", "function", "queue", "worker", "terminal", "webhook"] as const;
export type Lane = (typeof lanes)[number];

/** One bar of the swim-lane picture. */
export interface LaneItem {
  readonly id: string;
  readonly lane: Lane;
  readonly from: number;
  /** Undefined while it lasts. Equal to `from` for what has no length. */
  readonly to: number | undefined;
  readonly title: string;
  readonly detail?: string;
  readonly hasFailed: boolean;
  /** The item that caused it. */
  readonly cause?: string;
}

/** A webhook attempt that reached the built-in receiver. */
export interface WebhookView {
  readonly id: string;
  readonly at: number;
  /** The `webhook-id` header: the same for every attempt of one event. */
  readonly eventId: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly attempt: number;
  /** How the receiver responded; undefined while it hangs, and where the platform did not wait for it. */
  readonly answer: number | undefined;
  readonly isSignatureValid: boolean;
  /** When the platform tries again, where it will. */
  readonly nextAt?: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** How the signature is worked out: what is signed, and the two results. */
  readonly signature: { readonly signed: string; readonly expected: string; readonly received: string };
}

/** How the built-in receiver responds from now on. */
export interface ReceiverView {
  readonly answer: "200" | "500" | "410" | "hang";
  /** The address that `npm run webhooks -- --forward` forwards webhooks to while it runs; its server's status is the response then. */
  readonly forwardedTo?: string;
}

export interface MailView {
  readonly id: string;
  readonly at: number;
  readonly address: string;
  readonly from: string;
  readonly subject: string;
}

/** `GET /mails/<id>`. Its HTML is at `/mails/<id>/html`, for a sandboxed frame. */
export interface MailDetail extends MailView {
  readonly text: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The pictures, as `data:` addresses. */
  readonly pictures: readonly { readonly name: string; readonly url: string }[];
}

/** A request that passed the gateway. Polls that return no message are left out. */
export interface CallView {
  readonly id: string;
  readonly at: number;
  readonly api: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** The problem's `code`, of a response that refuses. */
  readonly problem?: string;
  readonly requestId?: string;
  readonly sessionId?: string;
}

/** `GET /calls/<id>`. */
export interface CallDetail extends CallView {
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly requestBody: string;
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly responseBody: string;
  readonly curl: string;
}

export interface AlertView {
  readonly id: string;
  readonly kind: string;
  readonly about?: string;
  readonly sessionId?: string;
  readonly partnerId?: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly detail?: string;
  readonly means: string;
  readonly toDo: string;
}

/** `GET /runbook`: what the runbook adds to an alert, by its kind, and says of dead letters, by their queue. */
export interface RunbookView {
  readonly alerts: Readonly<Record<string, RunbookEntry>>;
  readonly deadLetters: Readonly<Record<string, RunbookEntry>>;
}

/** Sentences in which commands and names stand between backticks. */
export interface RunbookEntry {
  /** What it means for the customer's money. */
  readonly money: string;
  readonly lookAt?: string;
  readonly toDo?: string;
}

export interface QueueView {
  readonly name: string;
  readonly active: number;
  readonly locked: number;
  readonly scheduled: number;
  readonly deadLettered: number;
}

export interface FaultView {
  readonly id: string;
  /** "all tables", "table Payments", "queue webhook-retries". */
  readonly target: string;
  readonly kind: string;
  readonly until: number;
  readonly milliseconds?: number;
}

/** The body of `POST /faults`. */
export interface FaultWishView {
  readonly service: "tables" | "queues";
  /** A table's or queue's name; all of them where left out. */
  readonly name?: string;
  readonly kind: string;
  readonly seconds: number;
  readonly milliseconds?: number;
}

/** `GET /operations`: the operations of the OpenAPI documents, each with a filled example. */
export interface OperationView {
  readonly id: string;
  readonly api: "partners" | "consumer" | "terminals";
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly fields: readonly FieldView[];
  /** What a body may have, those of the example first; empty where the operation takes none. */
  readonly members: readonly MemberView[];
  /** The example's body, as JSON text; undefined where the operation takes none. */
  readonly body: string | undefined;
  /** Why it cannot be carried out now, and what to do first; undefined where it can. */
  readonly wanting?: string | undefined;
}

/** A member of a body, by its path: `merchantReferences.orderId`. */
export interface MemberView {
  readonly path: string;
  /** `json` for a list or an object of many members. */
  readonly kind: "text" | "number" | "boolean" | "json";
  readonly description: string;
  readonly isRequired: boolean;
  /** The values that it can have, where they are few. */
  readonly choices: readonly (readonly [value: string, label: string])[];
}

export interface FieldView {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly value: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** The body of `POST /try`. `preview` sends nothing and returns only `curl` and `code`. */
export interface TryWish {
  readonly operation: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly preview?: boolean;
}

export interface TryResult {
  readonly status: number | undefined;
  readonly ms: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly curl: string;
  /** The same call with the typed client, where the client has the operation. */
  readonly code: string | undefined;
  /** The payment that it was about, by its identifier in the list. */
  readonly paymentId?: string;
}
