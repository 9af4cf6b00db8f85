import { headerKey, preferring, safeBaseUrl } from "../common/connection.ts";
import { policyOf, realWorld, retryingFetch, type SendingOptions } from "../common/retries.ts";
import { dataOrThrow, rawSender, type CallOptions, type Raw } from "../common/sender.ts";
import { userAgent } from "../common/user-agent.ts";
import { PlatformProblem } from "./failures.ts";
import { operations, type Operations } from "./schema.ts";
import type { LandingPage, LandingPageRequest, Problem, TokenRequest } from "./types.ts";

export interface ClientOptions extends SendingOptions {
  /**
   * The gateway's address, without a path. It must be https, or http on this machine, because password and key are sent with each request.
   */
  readonly baseUrl: string;
  /** The web application's user of Basic credentials, without a colon. */
  readonly user: string;
  readonly password: string;
  /** The key of the functions: `x-functions-key`. */
  readonly functionKey: string;
}

/**
 * The Consumer Web API. Each method retries if the failure may be temporary. The same request never results in a second voucher or key. A
 * method rejects with `PlatformProblem`, `NoResponse`, `UnexpectedResponse`, or the reason of an aborted signal.
 */
export interface ConsumerClient {
  readonly landingPages: {
    /** The page's present state. A page without any request is a `PlatformProblem` with the code `landing_page_not_found`. */
    get(landingPageID: string, options?: CallOptions): Promise<LandingPage>;
    /** Requests a voucher or key for a customer, and creates the page if it is new. The code is only sent to the customer by mail. */
    request(request: LandingPageRequest, options?: CallOptions): Promise<TokenRequest>;
  };
  /** Calls each operation by its name. The result has `data` or `problem`, headers and status. It retries too. */
  readonly raw: Raw<Operations, Problem>;
}

/** Throws `TypeError` for options that cannot work. Neither its message nor `util.inspect` of the client shows a password or key. */
export function consumerClient(options: ClientOptions): ConsumerClient {
  const world = { ...realWorld, ...options.world };
  const raw = rawSender<Operations, Problem>(operations, {
    ...connectionOf(options),
    fetch: retryingFetch(policyOf(options.retries), world, isRepeatable),
  });
  const dataOf = dataOrThrow(PlatformProblem, world.now);
  return {
    landingPages: {
      get: (landing_page_id, call) => dataOf(raw("get-landing-page", { path: { landing_page_id } }, call)),
      request: (body, call) => dataOf(raw("landing-page-request", { body }, call)),
    },
    raw,
  };
}

/** One operation only reads. The other request is identified by its page, button and address. */
const isRepeatable = (): boolean => true;

function connectionOf({ baseUrl, user, password, functionKey, strict }: ClientOptions) {
  const safeUrl = safeBaseUrl(baseUrl);
  const functionsKey = headerKey("functionKey", functionKey);
  if (!/^[^:]+$/.test(user ?? "")) throw new TypeError("user must be the name of a web application, without a colon.");
  if (!/^.+$/.test(password ?? "")) throw new TypeError("password must be text without line breaks.");
  const credentials = String.fromCodePoint(...new TextEncoder().encode(`${user}:${password}`));
  return {
    baseUrl: safeUrl,
    headers: {
      authorization: `Basic ${btoa(credentials)}`,
      "x-functions-key": functionsKey,
      ...preferring({ strict }),
      ...userAgent("terminal-payments-consumer-client"),
    },
  };
}
