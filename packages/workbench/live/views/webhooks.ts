/** A webhook attempt that reached the built-in receiver. */
export interface WebhookView {
  readonly id: string;
  readonly at: number;
  /** The `webhook-id` header. Every attempt of one event has the same value. */
  readonly eventId: string;
  readonly type: string;
  readonly sessionId?: string;
  readonly attempt: number;
  /** The receiver's response. Undefined while it hangs, or if the platform did not wait for it. */
  readonly answer: number | undefined;
  readonly isSignatureValid: boolean;
  /** When the platform tries again, if it does. */
  readonly nextAt?: number;
  /** The platform does not try again, although the receiver did not accept the event. */
  readonly isGivenUp?: boolean;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The computation of the signature: the signed text and the two results. */
  readonly signature: { readonly signed: string; readonly expected: string; readonly received: string };
}

/** How the built-in receiver responds from now on. */
export interface ReceiverView {
  readonly answer: "200" | "500" | "410" | "hang";
  /**
   * The address to which `npm run webhooks -- --forward` forwards webhooks while it runs. The receiver then responds with the status of
   * that server.
   */
  readonly forwardedTo?: string;
}
