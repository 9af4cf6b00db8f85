import type { Refusal } from "../refusal.ts";
import { refuse, type Result } from "../result.ts";
import type { Change, Step } from "./advance.ts";
import type { DecisionContext } from "./decision.ts";
import { isFinal, type Payment } from "./payment.ts";

/** What an operator says of a payment, a refund or a charge, as the acquirer's own records show it. */
export type Resolution = {
  /** Who resolved it, and why; the history keeps both. */
  readonly by: string;
  readonly why: string;
} & (PaymentResolution | RefundResolution | ChargeResolution);

export interface PaymentResolution {
  readonly of: "payment";
  /** `paid`: money was taken for it. `unpaid`: none was. */
  readonly outcome: "paid" | "unpaid";
  /** Of `paid`, in the currency's major unit; what was charged, or else what was to pay, when left out. */
  readonly amount?: number | undefined;
  /** Of `paid`: the charge that it was paid by, where several are known. In any spelling. */
  readonly chargeId?: string | undefined;
}

export interface RefundResolution {
  readonly of: "refund";
  /** In any spelling. */
  readonly refundId: string;
  readonly outcome: "succeeded" | "failed";
}

export interface ChargeResolution {
  readonly of: "charge";
  /** In any spelling. */
  readonly chargeId: string;
  /** `reversed`: the customer has the money back. `kept`: the merchant has it. */
  readonly outcome: "reversed" | "kept";
}

export type ResolveRefusal = "invalid_state" | "validation_failed";
export type Resolved = Result<Change, Refusal<ResolveRefusal>>;

export interface ResolveContext extends DecisionContext {
  /** An open alert names the payment: only then may be corrected what has ended. */
  readonly isAlerted: boolean;
}

/** An operator's step, before its event is known. */
export type OperatorStep = Omit<Step, "event"> & ResolveContext;

export const impossible = ({ status: currentStatus }: Payment, detail?: string) =>
  refuse({ code: "invalid_state", currentStatus, ...(detail !== undefined && { detail }) });

export const notAlerted = (payment: Payment) =>
  impossible(payment, "What has ended is corrected only while an open alert names the payment.");

/**
 * Why captured money is not corrected: no open alert says that its books may be wrong, or a refund is pending, whose outcome may change
 * the very money that is to be corrected. Undefined where nothing stands in the way.
 */
export function whyNotCorrected(
  payment: Payment,
  { isAlerted }: OperatorStep,
): Result<never, Refusal<"invalid_state">> | undefined {
  if (!isAlerted) return notAlerted(payment);
  const isPending = payment.refunds.some(({ status }) => status === "pending");
  return isPending ? impossible(payment, "A refund is pending: resolve it first.") : undefined;
}

/** How an operator's word on the payment itself is booked: an ended payment keeps its state, and its partner is told of the correction. */
export const bookedAs = ({ status }: Payment, outcome: PaymentResolution["outcome"]) =>
  isFinal(status)
    ? ({ event: "corrected", webhooks: [{ kind: "webhook", type: "payment.corrected" }] } as const)
    : ({ event: outcome === "paid" ? "settledPaid" : "settledUnpaid", webhooks: [] } as const);
