import createClient, { type Client } from "openapi-fetch";
import { isProblem, PlatformProblem, UnexpectedResponse } from "./failures.ts";
import { realWorld, retryAfterSeconds, retryingFetch, policyOf, type RetryPolicy, type World } from "./retries.ts";
import type { paths } from "./schema.d.ts";
import type {
  ActionRequest,
  ActionResponseCode,
  AddDiscount,
  Payment,
  PaymentCancel,
  PaymentCapture,
  PaymentRefund,
  PaymentRequest,
  TerminalStatus,
  Timeline,
  WritableStatus,
} from "./types.ts";

export interface ClientOptions {
  /** Up to and with `/partners`. https, or http on this machine: the keys travel with each request. */
  readonly baseUrl: string;
  readonly apikey: string;
  readonly subscriptionKey: string;
  readonly retries?: Partial<RetryPolicy>;
  /** In place of `fetch`, the clock and chance: for tests, proxies and instrumentation. */
  readonly world?: Partial<World>;
}

export interface CallOptions {
  /** Ends the call, with its retries. Of a request that changes something the outcome is then unknown. */
  readonly signal?: AbortSignal;
}

/**
 * The Partners API. Every method is sent again by itself where the trouble may pass, with the identifiers that the caller gave: nothing is
 * done twice. It rejects with `PlatformProblem`, `NoResponse`, `UnexpectedResponse`, or the reason of an aborted signal.
 */
export interface PartnersClient {
  readonly payments: {
    /** Asks a terminal to take a payment. The outcome comes by webhook, or by `get`. */
    request(payment: PaymentRequest, options?: CallOptions): Promise<Payment>;
    /** Asks the terminal to abandon the payment, or voids an authorization. */
    cancel(payment: PaymentCancel, options?: CallOptions): Promise<Payment>;
    /** Captures an authorized payment, wholly or in part, once. */
    capture(payment: PaymentCapture, options?: CallOptions): Promise<Payment>;
    /** Gives captured money back, wholly or in part. */
    refund(refund: PaymentRefund, options?: CallOptions): Promise<Payment>;
    /** The payment as it stands. */
    get(sessionID: string, options?: CallOptions): Promise<Payment>;
    /** Everything that happened to a payment, with each attempt of its webhooks. */
    timeline(sessionID: string, options?: CallOptions): Promise<Timeline>;
  };
  readonly terminals: {
    /** Whether a terminal is there and can take a payment. */
    status(pointOfServiceID: string, options?: CallOptions): Promise<TerminalStatus>;
    /** Anything but `available` refuses new payments; a running one is finished. */
    setStatus(pointOfServiceID: string, statusCode: WritableStatus, options?: CallOptions): Promise<TerminalStatus>;
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
  /** Each operation by its path, with `data` or `error`, headers and status. It retries too, where the request names what it is about. */
  readonly raw: Client<paths>;
}

/** Throws `TypeError` for options that cannot work. No message, and nothing that `util.inspect` shows of the client, has a key. */
export function partnersClient(options: ClientOptions): PartnersClient {
  const { baseUrl, headers } = connectionOf(options);
  const world = { ...realWorld, ...options.world };
  const raw = createClient<paths>({
    baseUrl,
    headers,
    fetch: retryingFetch(policyOf(options.retries), world),
  });
  const dataOf = async <Data>(calling: Promise<Answer<Data>>): Promise<Data> => {
    const { data, error, response } = await calling;
    if (data !== undefined) return data;
    if (isProblem(error)) throw new PlatformProblem(error, retryAfterSeconds(response.headers, world.now()));
    throw new UnexpectedResponse(response.status);
  };
  const paymentPath = (session_id: string) => ({ path: { session_id } });
  return {
    payments: {
      request: (payment, call) =>
        dataOf(raw.POST("/pos-payment-request", { body: { ...payment, msgType: "paymentRequest" }, ...call })),
      // Only what the operation takes: callers may pass a whole payment.
      cancel: ({ sessionID, pointOfServiceID }, call) =>
        dataOf(
          raw.POST("/pos-payment-cancel", { body: { sessionID, pointOfServiceID, msgType: "paymentCancel" }, ...call }),
        ),
      capture: ({ sessionID, pointOfServiceID, captureAmount }, call) => {
        const amount = captureAmount === undefined ? {} : { captureAmount };
        const body = { sessionID, pointOfServiceID, ...amount, msgType: "paymentCapture" as const };
        return dataOf(raw.POST("/pos-payment-capture", { body, ...call }));
      },
      refund: (refund, call) =>
        dataOf(raw.POST("/pos-payment-refund", { body: { ...refund, msgType: "paymentRefund" }, ...call })),
      get: (sessionID, call) =>
        dataOf(raw.GET("/pos-payment/{session_id}", { params: paymentPath(sessionID), ...call })),
      timeline: (sessionID, call) =>
        dataOf(raw.GET("/pos-payment/{session_id}/timeline", { params: paymentPath(sessionID), ...call })),
    },
    terminals: {
      status: (point_of_service_id, call) =>
        dataOf(
          raw.GET("/pointOfServices/{point_of_service_id}/pos-status", {
            params: { path: { point_of_service_id } },
            ...call,
          }),
        ),
      setStatus: (pointOfServiceID, statusCode, call) =>
        dataOf(raw.PATCH("/set-pos-status", { body: { pointOfServiceID, statusCode }, ...call })),
    },
    actionRequests: {
      get: (action_request_id, call) =>
        dataOf(raw.GET("/action-request/{action_request_id}", { params: { path: { action_request_id } }, ...call })),
      respond: (actionRequestID, responseCode, call) =>
        dataOf(raw.POST("/action-request-response", { body: { actionRequestID, responseCode }, ...call })),
    },
    discounts: { add: (discount, call) => dataOf(raw.POST("/add-discount", { body: discount, ...call })) },
    raw,
  };
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
/** What a header can hold. fetch would complain by showing the value. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

function connectionOf({ baseUrl, apikey, subscriptionKey }: ClientOptions) {
  if (!URL.canParse(baseUrl) || !isSafe(new URL(baseUrl)) || !isBare(new URL(baseUrl))) {
    throw new TypeError(
      "baseUrl must be an https address, or an http address on this machine, without more than a path.",
    );
  }
  for (const [name, key] of Object.entries({ apikey, subscriptionKey })) {
    if (!HEADER_VALUE.test(key ?? ""))
      throw new TypeError(`${name} must be a key: text without spaces or line breaks.`);
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ""), headers: { apikey, "Ocp-Apim-Subscription-Key": subscriptionKey } };
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));

/** Without a password, which fetch would show in its complaint, and without what a path cannot follow. */
const isBare = ({ username, password, search, hash }: URL): boolean => `${username}${password}${search}${hash}` === "";
