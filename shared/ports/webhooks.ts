import type { FieldProblem } from "../domain/refusal.ts";
import type { Instant } from "../domain/time.ts";
import type { WebhookOutcomeName } from "../domain/webhook-attempt.ts";

export interface WebhookRequest {
  readonly partnerId: string;
  readonly url: string;
  readonly id: string;
  readonly at: Instant;
  readonly body: string;
  /** Active signing secrets, `whsec_…`. */
  readonly secrets: readonly string[];
  readonly traceparent?: string | undefined;
  /** A shorter time-out of the attempt than the usual one. */
  readonly timeoutMs?: number | undefined;
}

/** Returns the problem of an address. It checks the form and a literal IP address, without DNS. Undefined if the address is good. */
export type CheckWebhookUrl = (url: string) => Omit<FieldProblem, "field"> | undefined;

export type WebhookResponse =
  | { readonly kind: "delivered" | "gone"; readonly status: number; readonly ms: number }
  | {
      readonly kind: "failed";
      readonly status?: number | undefined;
      readonly reason: Exclude<WebhookOutcomeName, "delivered" | "gone">;
      /** The error's code in OpenSSL or Node, if the reason is `tls` or `malformed`. */
      readonly code?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
      readonly ms: number;
    };

export interface ChallengeRequest extends Pick<WebhookRequest, "partnerId" | "url" | "at" | "secrets"> {
  /** The server has to return it. */
  readonly nonce: string;
}

/** Sends webhooks to partners' servers. */
export interface Webhooks {
  /**
   * Signs and sends one attempt. Trouble on the partner's side is returned, not thrown. `postponed`: nothing was sent, because too many
   * attempts that may hang are under way.
   */
  send(request: WebhookRequest): Promise<WebhookResponse | "postponed">;
  /**
   * Sends a signed challenge, and waits five seconds. `delivered`: the server responded 2xx with the nonce as its body, in at most 1 KiB.
   * Any other content is a failure with the reason `challenge`.
   */
  challenge(request: ChallengeRequest): Promise<WebhookResponse | "postponed">;
  /** Seconds from this failed attempt to the next. Undefined after the last one. Attempts count from 1. */
  nextAttemptAfter(attempt: number, retryAfterSeconds: number | undefined): number | undefined;
}
