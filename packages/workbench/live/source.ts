import type { Resolution } from "../../../shared/domain/payment/operator/resolution.ts";
import type { CallDetail } from "./views/calls.ts";
import type { FaultInput } from "./views/faults.ts";
import type { MailDetail } from "./views/mails.ts";
import type { PaymentDetail } from "./views/payments.ts";
import type { PreviewView } from "./views/resolve.ts";
import type { Change, Snapshot } from "./views/snapshot.ts";
import type { TerminalAction } from "./views/terminals.ts";
import type { ReceiverView } from "./views/webhooks.ts";

/** A request that cannot be fulfilled. The page shows its message. */
export class Refusal extends Error {
  /** The status of the response to the page. From 500, it is unknown whether the platform carried out the request. */
  readonly status: number;

  constructor(message: string, { status = 422, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** An operator's decision on a payment, with the sequence of its preview. */
export interface ResolveInput {
  readonly sequence: number;
  readonly said: Resolution;
}

/** The name of the operator who closes an alert, and the reason. */
export type ClosingInput = Pick<Resolution, "by" | "why">;

/** The data and actions that the live page's server offers. Every action may throw `Refusal`. */
export interface LiveSource {
  snapshot(): Snapshot;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: (change: Change) => void): () => void;
  payment(id: string): Promise<PaymentDetail | undefined>;
  mail(id: string): MailDetail | undefined;
  /** The mail's own HTML with its pictures. Show it only in a sandboxed frame. */
  mailHtml(id: string): string | undefined;
  call(id: string): CallDetail | undefined;

  atTerminal(id: string, action: TerminalAction): Promise<void>;
  /** Sends a request of the shop's till or web application. Throws `Refusal` with the platform's own sentence. */
  request(operation: string, body: object): Promise<void>;
  /** Previews an operator's decision on the payment's current state. Writes nothing. */
  preview(paymentId: string, said: Resolution): Promise<PreviewView>;
  /** Carries out an operator's decision. If the payment has changed, it does nothing and returns the new preview. */
  resolve(paymentId: string, input: ResolveInput): Promise<PreviewView | undefined>;
  /** Closes an open alert. A new cause opens it again. */
  closeAlert(id: string, input: ClosingInput): Promise<void>;
  /** Sends the dead letters of a queue to it again. Use it after their cause is fixed. */
  replayDeadLetters(queue: string): Promise<void>;
  setReceiver(receiver: ReceiverView): void;
  /** Sends the event again, under the same identifier. */
  resend(webhookId: string): Promise<void>;
  setFault(input: FaultInput): Promise<void>;
  /** Removes all faults, or the fault with this identifier. */
  clearFaults(id?: string): Promise<void>;
}
