import type { PaymentState } from "./payment/payment.ts";

/** Why a caller is refused: the codes of the API that a use case can decide on. (Decision 4) */
export type RefusalCode =
  | "payment_not_found"
  | "terminal_not_found"
  | "terminal_busy"
  | "terminal_offline"
  | "terminal_unavailable"
  | "invalid_state"
  | "session_conflict"
  | "possible_duplicate"
  | "merchant_mismatch"
  | "terminal_mismatch"
  | "currency_mismatch"
  | "amount_exceeds_refundable"
  | "idempotency_mismatch"
  | "target_required"
  | "ambiguous_target"
  | "action_request_not_found"
  | "landing_page_not_found"
  | "landing_page_conflict"
  | "landing_page_unavailable"
  | "access_token_template_not_found"
  | "voucher_not_found"
  | "voucher_unavailable"
  | "rate_limited"
  | "validation_failed"
  | "dependency_unavailable";

export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface Refusal {
  readonly code: RefusalCode;
  readonly detail?: string;
  readonly currentStatus?: PaymentState;
  /** The session that stands in the way; told only to its owner. */
  readonly sessionId?: string;
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly FieldProblem[];
}
