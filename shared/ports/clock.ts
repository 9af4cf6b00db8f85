import type { Instant } from "../domain/time.ts";

/** Time and identifiers, passed in: nothing below the composition root asks the machine for either. */
export interface Clock {
  now(): Instant;
  sleep(ms: number): Promise<void>;
}

export type NewId = () => string;

/**
 * One call of the platform: an HTTP request, a queue message, an operator's command. What happens in it takes time, identifiers
 * and trace from here.
 */
export interface CallContext {
  /** May be later at each reading. */
  readonly now: () => Instant;
  readonly newId: NewId;
  /** W3C trace context, carried on through queues and into webhooks. */
  readonly traceparent?: string | undefined;
  /** What the caller may name the request by; undefined where there is no caller to tell it. */
  readonly requestId?: string | undefined;
}
