import type { Instant } from "../domain/time.ts";

export interface WebhookRequest {
  readonly partnerId: string;
  readonly url: string;
  readonly id: string;
  readonly at: Instant;
  readonly body: string;
  /** Active signing secrets, `whsec_…`. */
  readonly secrets: readonly string[];
  readonly traceparent?: string | undefined;
}

export type WebhookResponse =
  | { readonly kind: "delivered" | "gone"; readonly status: number; readonly ms: number }
  | {
      readonly kind: "failed";
      readonly status?: number | undefined;
      readonly reason: string;
      readonly retryAfterSeconds?: number | undefined;
      readonly ms: number;
    };

/** Sends webhooks to partners' servers. */
export interface Webhooks {
  /**
   * Signs and sends one attempt. Trouble on the partner's side is returned, not thrown. `postponed`: nothing was sent, because too many
   * attempts that may hang are under way.
   */
  send(request: WebhookRequest): Promise<WebhookResponse | "postponed">;
  /** Seconds from this failed attempt to the next; undefined after the last one. Attempts count from 1. */
  nextAttemptAfter(attempt: number, retryAfterSeconds: number | undefined): number | undefined;
}
