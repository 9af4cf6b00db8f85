/** A webhook attempt that reached the built-in receiver. */
export interface WebhookView {
  readonly id: string;
  readonly at: number;
  /** The `webhook-id` header: the same for every attempt of one event. */
  readonly eventId: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly attempt: number;
  /** How the receiver responded; undefined while it hangs, and where the platform did not wait for it. */
  readonly answer: number | undefined;
  readonly isSignatureValid: boolean;
  /** When the platform tries again, where it will. */
  readonly nextAt?: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** How the signature is worked out: what is signed, and the two results. */
  readonly signature: { readonly signed: string; readonly expected: string; readonly received: string };
}

/** How the built-in receiver responds from now on. */
export interface ReceiverView {
  readonly answer: "200" | "500" | "410" | "hang";
  /** The address that `npm run webhooks -- --forward` forwards webhooks to while it runs; its server's status is the response then. */
  readonly forwardedTo?: string;
}
