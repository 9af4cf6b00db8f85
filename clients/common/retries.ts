import { isProblem, NoResponse, UnexpectedResponse } from "./failures.ts";

/** A request as it is sent at each attempt. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** JSON. */
  readonly body: string | undefined;
}

/** Whether a request can be sent again without any effect happening twice. */
export type IsRepeatable = (sent: Sent) => boolean;

/** How often, and for how long, a request is sent. All times are in milliseconds. */
export interface RetryPolicy {
  /** The most attempts of a request. 1 turns retries off. Without a number, only the deadline ends the attempts. */
  readonly attempts: number;
  /** From the first attempt until the call gives up, in addition to the time that the platform is asked to wait. */
  readonly deadlineMs: number;
  /** One attempt, including the body of its response, in addition to the time that the platform is asked to wait. */
  readonly attemptTimeoutMs: number;
}

export const standardRetries: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  deadlineMs: 30_000,
  attemptTimeoutMs: 10_000,
};

/**
 * The standard policy with the caller's settings. A setting of `undefined` gets the standard value, because a call without a deadline might
 * never end.
 */
export const policyOf = ({ attempts, deadlineMs, attemptTimeoutMs }: Partial<RetryPolicy> = {}): RetryPolicy => ({
  attempts: attempts ?? standardRetries.attempts,
  deadlineMs: deadlineMs ?? standardRetries.deadlineMs,
  attemptTimeoutMs: attemptTimeoutMs ?? standardRetries.attemptTimeoutMs,
});

/** The functions that retries need from their environment. */
export interface World {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

/** How a client sends requests. These are members of each client's options. */
export interface SendingOptions {
  /**
   * Has the platform reject a body with a member that it does not know, such as a misspelled one. By default such members are ignored.
   */
  readonly strict?: boolean;
  readonly retries?: Partial<RetryPolicy>;
  /** Replaces `fetch`, the clock and randomness, for tests, proxies and instrumentation. */
  readonly world?: Partial<World>;
}

/** 502 and 504 come from load balancers on the way to the platform. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;

/** A complete response, or the reason why there is none. */
type Outcome =
  | { readonly response: Response; readonly isPassing: boolean }
  | { readonly response?: never; readonly failure: NoResponse; readonly isPassing: true };

/**
 * `fetch` with retries. A request that may be repeated is sent again, with the same identifiers, if the failure may be temporary: no
 * response, 429, 500, 502, 503 or 504, or another request under its `Idempotency-Key` that has no outcome yet. It waits for `Retry-After` first, if there is one.
 *
 * Resolves with the last response, after its body has arrived. Rejects with `NoResponse` if there was none. Rejects with
 * `UnexpectedResponse` for a success that is neither JSON nor a file. Rejects with the signal's reason if the caller aborts.
 */
export const retryingFetch =
  (policy: RetryPolicy, world: World, isRepeatable: IsRepeatable) =>
  async (request: Request): Promise<Response> => {
    const sent = await sentOf(request);
    const waitsMs = waitOf(sent);
    const until = world.now() + policy.deadlineMs + waitsMs;
    const most = isRepeatable(sent) ? policy.attempts : 1;
    for (let attempt = 1; ; attempt++) {
      const timeoutMs = Math.min(policy.attemptTimeoutMs + waitsMs, until - world.now());
      const outcome = await attemptOnce(sent, { signal: request.signal, timeoutMs }, world);
      const delay = delayAfter(attempt, outcome.response, world);
      if (!outcome.isPassing || attempt >= most || world.now() + delay >= until) return finalOf(outcome);
      await world.sleep(delay, request.signal);
    }
  };

/** The milliseconds that the platform is asked to wait before it responds. */
const waitOf = ({ url }: Sent): number => (Number(new URL(url).searchParams.get("wait")) || 0) * 1_000;

async function sentOf(request: Request): Promise<Sent> {
  const { method, url, headers } = request;
  const body = request.body === null ? undefined : await request.text();
  return { method, url, headers, body };
}

async function attemptOnce(
  { method, url, headers, body }: Sent,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  world: World,
): Promise<Outcome> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, timeoutMs))]);
  try {
    // A redirect is not followed, because it would take the keys to another host.
    const init = { method, headers, redirect: "manual", signal: ends } as const;
    const arriving = await world.fetch(url, body === undefined ? init : { ...init, body });
    const text = await arriving.text(); // an attempt ends with its body: a connection may break within it
    return judged(arriving, text);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnexpectedResponse) throw error;
    return { failure: new NoResponse(error), isPassing: true };
  }
}

function judged({ status, ok, headers }: Response, text: string): Outcome {
  const body = jsonIn(text);
  if (ok && body === undefined && !isFile({ headers })) throw new UnexpectedResponse(status);
  const isBodiless = status === 204 || status === 205 || status === 304;
  const response = new Response(isBodiless ? null : text, { status, headers });
  return { response, isPassing: mayPass(status, body) };
}

/** Whether the same request may succeed soon. A problem that says no is believed. */
function mayPass(status: number, body: unknown): boolean {
  if (!isProblem(body)) return PASSING.has(status);
  return body.code === "idempotency_in_progress" || (PASSING.has(status) && body.retryable);
}

function finalOf(outcome: Outcome): Response {
  if (outcome.response) return outcome.response;
  throw outcome.failure;
}

/**
 * The delay before the next attempt: `Retry-After`, and a backoff that doubles from 200 ms to 5 s. Up to half of the backoff is random.
 * This makes about ten to fifteen attempts in 30 s, and never one right after another.
 */
function delayAfter(attempt: number, response: Response | undefined, { now, random }: World): number {
  const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const demanded = retryAfterSeconds(response?.headers ?? new Headers(), now()) ?? 0;
  return Math.ceil(demanded * 1000 + (most * (1 + random())) / 2);
}

/** `Retry-After` in seconds. The header is a number or a date. Undefined if it is absent or neither. `now` is in milliseconds. */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Whether a response is a file of comma-separated values. */
export const isFile = ({ headers }: Pick<Response, "headers">): boolean =>
  headers.get("content-type")?.startsWith("text/csv") === true;

/** The value of a JSON text. Undefined if it is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The real environment. `fetch` is looked up at each call, so that a later replacement of it is used. */
export const realWorld: World = {
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, ms);
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
    }),
};
