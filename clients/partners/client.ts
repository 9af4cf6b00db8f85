import { headerKey, preferring, safeBaseUrl } from "../common/connection.ts";
import { realWorld, retryingFetch, policyOf, type SendingOptions } from "../common/retries.ts";
import { dataOrThrow, rawSender, type CallOptions, type Raw } from "../common/sender.ts";
import { userAgent } from "../common/user-agent.ts";
import { PlatformProblem } from "./failures.ts";
import { follow, type EventPageQuery, type FollowOptions } from "./follow.ts";
import { allPages } from "./all-pages.ts";
import { MOST_LINES, wholeFile } from "./settlements.ts";
import { isRepeatable } from "./repeatable.ts";
import { operations, type Operations } from "./schema.ts";
import type {
  ActionRequest,
  ActionResponseCode,
  AddDiscount,
  EventPage,
  NeverRequested,
  Payment,
  PaymentCancel,
  PaymentCapture,
  PaymentList,
  PaymentListQuery,
  PaymentRefund,
  PaymentRequest,
  Problem,
  RefundWithdrawal,
  TerminalDay,
  Booking,
  Settlement,
  SettlementDays,
  SettlementDaysQuery,
  SettlementQuery,
  Terminal,
  TerminalList,
  TerminalListQuery,
  TerminalStatus,
  Receipts,
  ReceiptsQuery,
  Timeline,
  WebhookEvent,
  WebhookTest,
  WebhookTestResult,
  WritableStatus,
} from "./types.ts";

export interface ClientOptions extends SendingOptions {
  /** The gateway's address, without a path. It must be https, or http on this machine, because the keys are sent with each request. */
  readonly baseUrl: string;
  readonly apikey: string;
  readonly subscriptionKey: string;
}

/** Options of a request that changes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * The header `Idempotency-Key`: your name for what is to be done, such as a sale. Under one key it is done once, even if a retry of yours
   * makes a new `sessionID`. The platform keeps it for seven days.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The Partners API. Every method retries if the failure may be temporary, with the caller's identifiers, so nothing is done twice. A method
 * rejects with `PlatformProblem`, `NoResponse`, `UnexpectedResponse`, or the reason of an aborted signal.
 */
export interface PartnersClient {
  readonly payments: {
    /** Asks a terminal to take a payment. The outcome comes by webhook, or by `get`. */
    request(payment: PaymentRequest, options?: ChangeOptions): Promise<Payment>;
    /** Asks the terminal to abandon the payment, or voids an authorization. It also cancels a session that was never requested. */
    cancel(payment: PaymentCancel, options?: ChangeOptions): Promise<Payment | NeverRequested>;
    /**
     * Withdraws a refund that the terminal has not fetched. After that it is `failed`, as `cancelledByPartner`, and the terminal never makes
     * it. Rejects with `invalid_state` if the terminal may have fetched it. The key needs the scope `refunds`.
     */
    withdrawRefund(refund: RefundWithdrawal, options?: ChangeOptions): Promise<Payment>;
    /** Captures an authorized payment, wholly or in part, once. If the terminal is off, the capture waits until `deliverBefore`. */
    capture(payment: PaymentCapture, options?: ChangeOptions): Promise<Payment>;
    /** Refunds captured money, wholly or in part. If the terminal is off, the refund waits until its `deliverBefore`. */
    refund(refund: PaymentRefund, options?: ChangeOptions): Promise<Payment>;
    /** The payment's present state. */
    get(sessionID: string, options?: CallOptions): Promise<Payment>;
    /** Everything that happened to a payment, with each attempt of its webhooks. */
    timeline(sessionID: string, options?: CallOptions): Promise<Timeline>;
    /** A page of the payment's receipts, the oldest first. `next` names the following page. */
    receipts(sessionID: string, query?: ReceiptsQuery, options?: CallOptions): Promise<Receipts>;
    /**
     * A page of your payments in the order of their creation: of a UTC day, of up to 31 days, or of today. `next` names the following page.
     */
    list(query?: PaymentListQuery, options?: CallOptions): Promise<PaymentList>;
    /** Every payment of such a list, page by page, each only once. It begins after `after`, if that is given. */
    all(query?: PaymentListQuery, options?: CallOptions): AsyncIterable<Payment>;
  };
  readonly terminals: {
    /** A page of your terminals, each with its status, its merchant and its device. `next` names the following page. */
    list(query?: TerminalListQuery, options?: CallOptions): Promise<TerminalList>;
    /** Every terminal of such a list, page by page. It begins after `after`, if that is given. */
    all(query?: TerminalListQuery, options?: CallOptions): AsyncIterable<Terminal>;
    /** Whether a terminal is online and can take a payment. */
    status(pointOfServiceID: string, options?: CallOptions): Promise<TerminalStatus>;
    /** Any status except `available` refuses new payments. A running payment continues. */
    setStatus(pointOfServiceID: string, statusCode: WritableStatus, options?: CallOptions): Promise<TerminalStatus>;
    /** A business day (`2026-11-21`) as the terminal counted it and as it is booked, and whether the two are equal. */
    day(pointOfServiceID: string, date: string, options?: CallOptions): Promise<TerminalDay>;
  };
  readonly actionRequests: {
    get(actionRequestID: string, options?: CallOptions): Promise<ActionRequest>;
    /** The first response counts. The same response is accepted again. A different one is a `PlatformProblem`. */
    respond(actionRequestID: string, responseCode: ActionResponseCode, options?: ChangeOptions): Promise<ActionRequest>;
  };
  readonly discounts: {
    /** Lowers the amount that a running payment will charge. The discount counts when the terminal has applied it. */
    add(discount: AddDiscount, options?: ChangeOptions): Promise<Payment>;
  };
  readonly settlements: {
    /** The days from the first to the last that have a settlement, at most 31, with the totals of closed ones. */
    list(query?: SettlementDaysQuery, options?: CallOptions): Promise<SettlementDays>;
    /** The movements of money under a business day (`2026-11-21`), with totals, or a page of them. */
    get(date: string, query?: SettlementQuery, options?: CallOptions): Promise<Settlement>;
    /** Every movement of money under a business day, page by page. */
    lines(date: string, query?: SettlementQuery, options?: CallOptions): AsyncIterable<Booking>;
    /** The whole settlement as a file of comma-separated values, for accountants and their programs. */
    csv(date: string, query?: SettlementQuery, options?: CallOptions): Promise<string>;
  };
  /**
   * Every event that was or will be sent as a webhook, delivered or not, in one order. It begins after `after`, and then waits for new
   * events. Ends when `signal` is aborted. If the reader ended before `save`, its events come again. Handle each event once, by its `id`.
   */
  events(options?: FollowOptions): AsyncIterable<WebhookEvent>;
  /** One page of these events, without those of terminals that the key does not reach. */
  eventPage(query?: EventPageQuery, options?: CallOptions): Promise<EventPage>;
  /** Sends a signed test event to your default address or to `url`, once. Returns what happened. You can send ten an hour. */
  testWebhook(test?: WebhookTest, options?: CallOptions): Promise<WebhookTestResult>;
  /**
   * Calls each operation by its name. The result has `data` or `problem`, headers and status. It retries too, if the request names its
   * subject.
   */
  readonly raw: Raw<Operations, Problem>;
}

/** The outcome of cancelling a session that was never requested. Throws every other error. */
function neverRequested(sessionID: string, error: unknown): NeverRequested {
  if (error instanceof PlatformProblem && error.code === "payment_never_requested")
    return { sessionID, status: "neverRequested", final: true };
  throw error;
}

/** Throws `TypeError` for options that cannot work. Neither its message nor `util.inspect` of the client shows a key. */
export function partnersClient(options: ClientOptions): PartnersClient {
  const world = { ...realWorld, ...options.world };
  const raw = rawSender<Operations, Problem>(operations, {
    ...connectionOf(options),
    fetch: retryingFetch(policyOf(options.retries), world, isRepeatable),
  });
  const dataOf = dataOrThrow(PlatformProblem, world.now);
  // The compiler takes every event for a `WebhookEvent`, even if this version does not know its type. Callers ignore such events.
  const eventPage = (query: EventPageQuery = {}, call: CallOptions = {}) =>
    dataOf(raw("events", { query }, call)) as Promise<unknown> as Promise<EventPage>;
  const list = (query: PaymentListQuery = {}, call: CallOptions = {}) => dataOf(raw("pos-payments", { query }, call));
  const terminals = (query: TerminalListQuery = {}, call: CallOptions = {}) =>
    dataOf(raw("point-of-services", { query }, call));
  const settlement = (date: string, query: SettlementQuery = {}, call: CallOptions = {}) =>
    dataOf(raw("settlements", { path: { date }, query }, call));
  // Sends only the operation's own members, because callers may pass a whole payment.
  const cancel = (
    { sessionID, pointOfServiceID, refundID }: PaymentCancel | RefundWithdrawal,
    call?: ChangeOptions,
  ) => {
    const refund = refundID === undefined ? {} : { refundID };
    const body = { sessionID, pointOfServiceID, ...refund, msgType: "paymentCancel" as const };
    return dataOf(raw("pos-payment-cancel", { body, ...keyed(call) }, call));
  };
  return {
    payments: {
      request: (payment, call) =>
        dataOf(raw("pos-payment-request", { body: { ...payment, msgType: "paymentRequest" }, ...keyed(call) }, call)),
      cancel: (payment, call) =>
        cancel(payment, call).catch((error: unknown) => neverRequested(payment.sessionID, error)),
      withdrawRefund: cancel,
      capture: ({ sessionID, pointOfServiceID, captureAmount, deliverWithinSeconds }, call) => {
        const amount = captureAmount === undefined ? {} : { captureAmount };
        const wait = deliverWithinSeconds === undefined ? {} : { deliverWithinSeconds };
        const body = { sessionID, pointOfServiceID, ...amount, ...wait, msgType: "paymentCapture" as const };
        return dataOf(raw("pos-payment-capture", { body, ...keyed(call) }, call));
      },
      refund: (refund, call) =>
        dataOf(raw("pos-payment-refund", { body: { ...refund, msgType: "paymentRefund" }, ...keyed(call) }, call)),
      get: (session_id, call) => dataOf(raw("pos-payment", { path: { session_id } }, call)),
      timeline: (session_id, call) => dataOf(raw("pos-payment-timeline", { path: { session_id } }, call)),
      receipts: (session_id, query = {}, call = {}) =>
        dataOf(raw("pos-payment-receipts", { path: { session_id }, query }, call)),
      list,
      all: (query, call) =>
        allPages(
          { read: (following) => list({ ...query, ...following }, call), itemsOf: ({ payments }) => payments },
          world,
          call,
        ),
    },
    terminals: {
      list: terminals,
      all: (query, call) =>
        allPages(
          {
            read: (following) => terminals({ ...query, ...following }, call),
            itemsOf: ({ pointOfServices }) => pointOfServices,
          },
          world,
          call,
        ),
      status: (point_of_service_id, call) => dataOf(raw("pos-status", { path: { point_of_service_id } }, call)),
      setStatus: (pointOfServiceID, statusCode, call) =>
        dataOf(raw("set-pos-status", { body: { pointOfServiceID, statusCode } }, call)),
      day: (point_of_service_id, date, call) => dataOf(raw("pos-day", { path: { point_of_service_id, date } }, call)),
    },
    actionRequests: {
      get: (action_request_id, call) => dataOf(raw("action-request", { path: { action_request_id } }, call)),
      respond: (actionRequestID, responseCode, call) =>
        dataOf(raw("action-request-response", { body: { actionRequestID, responseCode }, ...keyed(call) }, call)),
    },
    settlements: {
      list: (query = {}, call = {}) => dataOf(raw("settlement-days", { query }, call)),
      get: settlement,
      lines: (date, query, call) =>
        allPages(
          {
            read: (following) => settlement(date, { limit: MOST_LINES, ...query, ...following }, call),
            itemsOf: ({ bookings }) => bookings,
          },
          world,
          call,
        ),
      csv: (date, query, call) =>
        wholeFile((page) => raw("settlement-file", { path: { date }, query: page }, call), dataOf, query),
    },
    discounts: { add: (discount, call) => dataOf(raw("add-discount", { body: discount, ...keyed(call) }, call)) },
    events: (following = {}) => follow(eventPage, world, following),
    eventPage,
    testWebhook: (body = {}, call = {}) => dataOf(raw("webhook-test", { body }, call)),
    raw,
  };
}

/** The header of a request under a key. */
const keyed = ({ idempotencyKey }: ChangeOptions = {}) =>
  idempotencyKey === undefined ? {} : { headers: { "Idempotency-Key": idempotencyKey } };

function connectionOf({ baseUrl, apikey, subscriptionKey, strict }: ClientOptions) {
  return {
    baseUrl: safeBaseUrl(baseUrl),
    headers: {
      apikey: headerKey("apikey", apikey),
      "Ocp-Apim-Subscription-Key": headerKey("subscriptionKey", subscriptionKey),
      ...preferring({ strict }),
      ...userAgent("terminal-payments-partners-client"),
    },
  };
}
