import type { Instant } from "../domain/time.ts";

/** Time and identifiers, passed in. Only the composition root reads the machine's clock or random source. */
export interface Clock {
  now(): Instant;
  sleep(ms: number): Promise<void>;
}

export type NewId = () => string;

/**
 * One call of the platform: an HTTP request, a queue message or an operator's command. Everything that runs in it takes time, identifiers
 * and trace from here.
 */
export interface CallContext {
  /** The current time. It may advance between two readings. */
  readonly now: () => Instant;
  readonly newId: NewId;
  /** W3C trace context, carried on through queues and into webhooks. */
  readonly traceparent?: string | undefined;
  /** The identifier by which the caller can refer to the request. Undefined if there is no caller to show it to. */
  readonly requestId?: string | undefined;
  /** The identifier of the partner's key that proved the caller. Undefined for any other caller. */
  readonly keyId?: string | undefined;
  /** The user of the Basic credentials that proved the caller. Undefined for any other caller. */
  readonly user?: string | undefined;
}
