import { assertKeys, safeBaseUrl } from "../common/connection.ts";
import { policyOf, realWorld, retryingFetch, type SendingOptions } from "../common/retries.ts";
import { dataOrThrow, rawSender, type CallOptions, type Raw } from "../common/sender.ts";
import { PlatformProblem } from "./failures.ts";
import { operations, type Operations } from "./schema.ts";
import type { LandingPage, LandingPageRequest, Problem, TokenRequest } from "./types.ts";

export interface ClientOptions extends SendingOptions {
  /** The gateway's address, without a path. https, or http on this machine: password and key travel with each request. */
  readonly baseUrl: string;
  /** The web application's user of Basic credentials, without a colon. */
  readonly user: string;
  readonly password: string;
  /** The key of the functions: `x-functions-key`. */
  readonly functionKey: string;
}

/**
 * The Consumer Web API. Each method is sent again by itself where the trouble may pass: the same request brings no second voucher or key. It
 * rejects with `PlatformProblem`, `NoResponse`, `UnexpectedResponse`, or the reason of an aborted signal.
 */
export interface ConsumerClient {
  readonly landingPages: {
    /** The page as it stands. A page without a request yet is a `PlatformProblem` with the code `landing_page_not_found`. */
    get(landingPageID: string, options?: CallOptions): Promise<LandingPage>;
    /** Asks for a voucher or key for a customer, and creates the page where it is new. The code goes to the customer by mail alone. */
    request(request: LandingPageRequest, options?: CallOptions): Promise<TokenRequest>;
  };
  /** Each operation by its name, with `data` or `problem`, headers and status. It retries too. */
  readonly raw: Raw<Operations, Problem>;
}

/** Throws `TypeError` for options that cannot work. No message, and nothing that `util.inspect` shows of the client, has a password or key. */
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

/** One operation reads, and page, button and address name what the other one requests. */
const isRepeatable = (): boolean => true;

function connectionOf({ baseUrl, user, password, functionKey }: ClientOptions) {
  const safeUrl = safeBaseUrl(baseUrl);
  assertKeys({ functionKey });
  if (!/^[^:]+$/.test(user ?? "")) throw new TypeError("user must be the name of a web application, without a colon.");
  if (!/^.+$/.test(password ?? "")) throw new TypeError("password must be text without line breaks.");
  const credentials = String.fromCodePoint(...new TextEncoder().encode(`${user}:${password}`));
  return {
    baseUrl: safeUrl,
    headers: { authorization: `Basic ${btoa(credentials)}`, "x-functions-key": functionKey },
  };
}
