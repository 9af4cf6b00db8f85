import type { PaymentState, Refund } from "./payment/record/payment.ts";

/** The problems that a field can have, as codes for programs. Each has its meaning for the documents. (API behaviour 3) */
export const fieldCodes = {
  required: "The field is missing or `null`, or a query value is empty.",
  wrong_type: "The JSON type is wrong, such as a string instead of a number.",
  invalid: "The value has the wrong format, or does not exist.",
  unknown_value: "The value is not one of the allowed values.",
  too_short: "The value has too few characters or entries.",
  too_long: "The value has too many characters or entries.",
  out_of_range: "The number or amount is too small or too large.",
  too_many_decimals: "The number has more decimals than are allowed, or than its currency has.",
  repeated: "The query has the parameter more than once.",
  unknown_parameter: "The operation does not have this parameter in its query.",
  unknown_member:
    "The object has members that the operation does not know, and the request asks for `handling=strict`.",
  not_supported: "The member asks for money that the platform does not take.",
  unsafe_url: "The platform does not call this address.",
} as const;
export type FieldCode = keyof typeof fieldCodes;

/** A problem with a field. `message` continues the sentence "the field …", in plain words. */
export interface FieldProblem {
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
}

/** A code that carries no further detail. */
type Bare = unknown;
interface Explained {
  readonly detail: string;
}

/** A refund as a problem names it. */
export type NamedRefund = Pick<Refund, "idAsReceived" | "status" | "updatedAt">;

/** A code that names the wrong fields. */
interface Located {
  readonly errors: readonly FieldProblem[];
}

/** Why a use case refuses a caller. Each code has the members that it carries. (API behaviour 4) */
interface Refusals {
  forbidden: Explained;
  payment_not_found: Partial<Explained>;
  payment_never_requested: {};
  terminal_not_found: Bare;
  cursor_expired: Bare;
  no_webhook_url: Bare;
  /** `sessionId`: the session that runs there. It is shown only to its owner. */
  terminal_busy: { readonly retryAfterSeconds: number; readonly sessionId?: string };
  terminal_offline: Bare;
  terminal_unavailable: Explained;
  /** `refund`: the refund whose state does not allow the request. */
  invalid_state: Explained & { readonly currentStatus?: PaymentState; readonly refund?: NamedRefund };
  session_conflict: Explained;
  /** `sessionId`: the session that this one may repeat. It is shown only to its owner. `refund`: the refund that may be repeated. */
  possible_duplicate: Partial<Explained> & {
    readonly sessionId?: string;
    readonly refund?: NamedRefund;
    readonly retryAfterSeconds?: number;
  };
  merchant_mismatch: Explained;
  terminal_mismatch: Explained;
  currency_mismatch: Explained;
  amount_exceeds_refundable: Located;
  /** `sessionId`: the session of the request that holds the `Idempotency-Key`. It is shown only to a key that reaches its terminal. */
  idempotency_mismatch: Explained & { readonly sessionId?: string };
  idempotency_in_progress: { readonly retryAfterSeconds: number };
  target_required: Explained;
  ambiguous_target: Explained;
  action_request_not_found: Bare;
  landing_page_not_found: Bare;
  landing_page_conflict: Bare;
  landing_page_unavailable: Explained;
  access_token_template_not_found: Bare;
  voucher_not_found: Bare;
  voucher_unavailable: Explained;
  rate_limited: { readonly retryAfterSeconds: number };
  validation_failed: Located;
  dependency_unavailable: { readonly retryAfterSeconds: number };
}

export type RefusalCode = keyof Refusals;

/** A refusal with one of these codes, and the members that the code carries: `Refusal<"invalid_state" | "payment_not_found">`. */
export type Refusal<Code extends RefusalCode = RefusalCode> = {
  [C in Code]: { readonly code: C } & Refusals[C];
}[Code];

/** Refuses the value of a field. */
export const invalidField = (field: string, code: FieldCode, message: string): Refusal<"validation_failed"> => ({
  code: "validation_failed",
  errors: [{ field, code, message }],
});
