import { assertKeys, safeBaseUrl } from "../common/connection.ts";
import { realWorld, retryingFetch, policyOf, type SendingOptions } from "../common/retries.ts";
import { dataOrThrow, rawSender, type CallOptions, type Raw } from "../common/sender.ts";
import { PlatformProblem } from "./failures.ts";
import { follow, type EventPageQuery, type FollowOptions } from "./follow.ts";
import { allPayments } from "./all-payments.ts";
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
  TerminalDay,
  Settlement,
  TerminalStatus,
  Timeline,
  WebhookEvent,
  WritableStatus,
} from "./types.ts";

export interface ClientOptions extends SendingOptions {
  /** The gateway's address, without a path. https, or http on this machine: the keys travel with each request. */
  readonly baseUrl: string;
  readonly apikey: string;
  readonly subscriptionKey: string;
}

/**
 * The Partners API. Every method is sent again by itself where the trouble may pass, with the identifiers that the caller gave: nothing is
 * done twice. It rejects with `PlatformProblem`, `NoResponse`, `UnexpectedResponse`, or the reason of an aborted signal.
 */
export interface PartnersClient {
  readonly payments: {
    /** Asks a terminal to take a payment. The outcome comes by webhook, or by `get`. */
    request(payment: PaymentRequest, options?: CallOptions): Promise<Payment>;
    /** Asks the terminal to abandon the payment, or voids an authorization. A session that was never requested is cancelled all the same. */
    cancel(payment: PaymentCancel, options?: CallOptions): Promise<Payment | NeverRequested>;
    /** Captures an authorized payment, wholly or in part, once. */
    capture(payment: PaymentCapture, options?: CallOptions): Promise<Payment>;
    /** Gives captured money back, wholly or in part. */
    refund(refund: PaymentRefund, options?: CallOptions): Promise<Payment>;
    /** The payment as it stands. */
    get(sessionID: string, options?: CallOptions): Promise<Payment>;
    /** Everything that happened to a payment, with each attempt of its webhooks. */
    timeline(sessionID: string, options?: CallOptions): Promise<Timeline>;
    /** A page of your payments, by their creation: of a UTC day, of up to 31 days, or of today. `next` names the page after it. */
    list(query?: PaymentListQuery, options?: CallOptions): Promise<PaymentList>;
    /** Every payment of such a list, page by page, none twice; from `after` on, where it is given. */
    all(query?: PaymentListQuery, options?: CallOptions): AsyncIterable<Payment>;
  };
  readonly terminals: {
    /** Whether a terminal is there and can take a payment. */
    status(pointOfServiceID: string, options?: CallOptions): Promise<TerminalStatus>;
    /** Anything but `available` refuses new payments; a running one is finished. */
    setStatus(pointOfServiceID: string, statusCode: WritableStatus, options?: CallOptions): Promise<TerminalStatus>;
    /** A business day (`2026-11-21`) as the terminal counted it and as it is booked, and whether the two are equal. */
    day(pointOfServiceID: string, date: string, options?: CallOptions): Promise<TerminalDay>;
  };
  readonly actionRequests: {
    get(actionRequestID: string, options?: CallOptions): Promise<ActionRequest>;
    /** The first response wins; the same one again is accepted, another is a `PlatformProblem`. */
    respond(actionRequestID: string, responseCode: ActionResponseCode, options?: CallOptions): Promise<ActionRequest>;
  };
  readonly discounts: {
    /** Lowers what a running payment will charge. It counts once the terminal has applied it. */
    add(discount: AddDiscount, options?: CallOptions): Promise<Payment>;
  };
  readonly settlements: {
    /** Every movement of money under a business day, `2026-11-21`, with totals. */
    get(date: string, options?: CallOptions): Promise<Settlement>;
    /** The same as a file of comma-separated values, for accountants and their programs. */
    csv(date: string, options?: CallOptions): Promise<string>;
  };
  /**
   * Every event that was or will be sent as a webhook, delivered or not, in one order: from `after` on, and then each as it comes. Ends when
   * `signal` is aborted. An event comes again where the reader ended before `save`: do each once, by its `id`.
   */
  events(options?: FollowOptions): AsyncIterable<WebhookEvent>;
  /** One page of these events. Those of terminals that the key does not reach are left out of it. */
  eventPage(query?: EventPageQuery, options?: CallOptions): Promise<EventPage>;
  /** Each operation by its name, with `data` or `problem`, headers and status. It retries too, if the request names what it is about. */
  readonly raw: Raw<Operations, Problem>;
}

/** The outcome of the cancel of a session that was never requested. Throws every other error. */
function neverRequested(sessionID: string, error: unknown): NeverRequested {
  if (error instanceof PlatformProblem && error.code === "payment_never_requested")
    return { sessionID, status: "neverRequested", final: true };
  throw error;
}

/** Throws `TypeError` for options that cannot work. No message, and nothing that `util.inspect` shows of the client, has a key. */
export function partnersClient(options: ClientOptions): PartnersClient {
  const world = { ...realWorld, ...options.world };
  const raw = rawSender<Operations, Problem>(operations, {
    ...connectionOf(options),
    fetch: retryingFetch(policyOf(options.retries), world, isRepeatable),
  });
  const dataOf = dataOrThrow(PlatformProblem, world.now);
  // An event of a type that this version does not know is one of `WebhookEvent` to the compiler alone: callers ignore it.
  const eventPage = (query: EventPageQuery = {}, call: CallOptions = {}) =>
    dataOf(raw("events", { query }, call)) as Promise<unknown> as Promise<EventPage>;
  const list = (query: PaymentListQuery = {}, call: CallOptions = {}) => dataOf(raw("pos-payments", { query }, call));
  return {
    payments: {
      request: (payment, call) =>
        dataOf(raw("pos-payment-request", { body: { ...payment, msgType: "paymentRequest" } }, call)),
      // Only what the operation takes: callers may pass a whole payment.
      cancel: ({ sessionID, pointOfServiceID }, call) =>
        dataOf(
          raw("pos-payment-cancel", { body: { sessionID, pointOfServiceID, msgType: "paymentCancel" } }, call),
        ).catch((error: unknown) => neverRequested(sessionID, error)),
      capture: ({ sessionID, pointOfServiceID, captureAmount }, call) => {
        const amount = captureAmount === undefined ? {} : { captureAmount };
        const body = { sessionID, pointOfServiceID, ...amount, msgType: "paymentCapture" as const };
        return dataOf(raw("pos-payment-capture", { body }, call));
      },
      refund: (refund, call) =>
        dataOf(raw("pos-payment-refund", { body: { ...refund, msgType: "paymentRefund" } }, call)),
      get: (session_id, call) => dataOf(raw("pos-payment", { path: { session_id } }, call)),
      timeline: (session_id, call) => dataOf(raw("pos-payment-timeline", { path: { session_id } }, call)),
      list,
      all: (query, call) => allPayments(list, world, query, call),
    },
    terminals: {
      status: (point_of_service_id, call) => dataOf(raw("pos-status", { path: { point_of_service_id } }, call)),
      setStatus: (pointOfServiceID, statusCode, call) =>
        dataOf(raw("set-pos-status", { body: { pointOfServiceID, statusCode } }, call)),
      day: (point_of_service_id, date, call) => dataOf(raw("pos-day", { path: { point_of_service_id, date } }, call)),
    },
    actionRequests: {
      get: (action_request_id, call) => dataOf(raw("action-request", { path: { action_request_id } }, call)),
      respond: (actionRequestID, responseCode, call) =>
        dataOf(raw("action-request-response", { body: { actionRequestID, responseCode } }, call)),
    },
    settlements: {
      get: (date, call) => dataOf(raw("settlements", { path: { date } }, call)),
      csv: (date, call) => dataOf(raw("settlement-file", { path: { date } }, call)),
    },
    discounts: { add: (discount, call) => dataOf(raw("add-discount", { body: discount }, call)) },
    events: (following = {}) => follow(eventPage, world, following),
    eventPage,
    raw,
  };
}

function connectionOf({ baseUrl, apikey, subscriptionKey }: ClientOptions) {
  const safeUrl = safeBaseUrl(baseUrl);
  assertKeys({ apikey, subscriptionKey });
  return { baseUrl: safeUrl, headers: { apikey, "Ocp-Apim-Subscription-Key": subscriptionKey } };
}
