import * as z from "zod";
import type { PaymentState } from "../../domain/payment/record/payment.ts";
import { fieldCodes, type FieldProblem, type NamedRefund, type RefusalCode } from "../../domain/refusal.ts";
import { instant, refundID, sessionID } from "../fields.ts";
import { values } from "../values.ts";
import { paymentStatus, refundStatus } from "./payment-values.ts";

/** Codes that are decided before a use case runs. */
type EdgeCode =
  | "invalid_json"
  | "body_too_large"
  | "unsupported_media_type"
  | "invalid_credentials"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "internal_error";

export type ProblemCode = RefusalCode | EdgeCode;

/** Every code of the API: its status, its meaning, and whether the same request may succeed later. (API behaviour 3 and 4) */
export const problems: Record<ProblemCode, { status: number; title: string; retryable: boolean }> = {
  invalid_json: { status: 400, title: "The body is not readable JSON", retryable: false },
  invalid_credentials: { status: 401, title: "The credentials are missing or wrong", retryable: false },
  forbidden: { status: 403, title: "The key does not have this scope", retryable: false },
  not_found: { status: 404, title: "There is no such operation", retryable: false }, // the gateway's alone
  method_not_allowed: { status: 405, title: "The path has no operation with this method", retryable: false }, // the gateway's alone
  payment_not_found: { status: 404, title: "There is no such payment", retryable: false },
  payment_never_requested: {
    status: 404,
    title: "The payment was never requested, and is cancelled",
    retryable: false,
  },
  terminal_not_found: { status: 404, title: "There is no such terminal", retryable: false },
  action_request_not_found: { status: 404, title: "There is no such action request", retryable: false },
  landing_page_not_found: { status: 404, title: "There is no such landing page", retryable: false },
  access_token_template_not_found: { status: 404, title: "There is no such template", retryable: false },
  voucher_not_found: { status: 404, title: "There is no such voucher", retryable: false },
  ambiguous_target: { status: 409, title: "More than one target matches", retryable: false },
  terminal_busy: { status: 409, title: "The terminal is busy with another payment", retryable: true },
  terminal_offline: { status: 409, title: "The terminal is offline", retryable: true },
  terminal_unavailable: { status: 409, title: "The terminal does not take payments now", retryable: true },
  invalid_state: { status: 409, title: "The current state does not allow this", retryable: false },
  session_conflict: { status: 409, title: "The session belongs to a different request", retryable: false },
  landing_page_conflict: { status: 409, title: "The page is for another product or template", retryable: false },
  landing_page_unavailable: { status: 409, title: "The page does not accept requests", retryable: false },
  no_webhook_url: { status: 409, title: "There is no address for webhooks", retryable: false },
  voucher_unavailable: { status: 409, title: "The voucher cannot be used now", retryable: false },
  possible_duplicate: { status: 409, title: "The request may repeat a payment or refund", retryable: false },
  idempotency_in_progress: {
    status: 409,
    title: "A request with this Idempotency-Key is under way",
    retryable: true,
  },
  cursor_expired: { status: 410, title: "The events after this cursor are no longer kept", retryable: false },
  body_too_large: {
    status: 413,
    title: "The body is larger than 64 KiB, or the operation takes none",
    retryable: false,
  },
  unsupported_media_type: { status: 415, title: "The body must be application/json", retryable: false },
  validation_failed: { status: 422, title: "A field is missing or wrong", retryable: false },
  merchant_mismatch: { status: 422, title: "The terminal belongs to another merchant", retryable: false },
  amount_exceeds_refundable: { status: 422, title: "The amount exceeds what is left to refund", retryable: false },
  idempotency_mismatch: { status: 422, title: "The identifier was used for a different request", retryable: false },
  target_required: { status: 422, title: "The request must name its target", retryable: false },
  terminal_mismatch: { status: 422, title: "The payment is on another terminal", retryable: false },
  currency_mismatch: { status: 422, title: "The payment is in another currency", retryable: false },
  rate_limited: { status: 429, title: "Too many requests", retryable: true },
  internal_error: { status: 500, title: "Something went wrong here", retryable: true },
  dependency_unavailable: { status: 503, title: "A part of the platform does not answer now", retryable: true },
};

const titles = Object.fromEntries(Object.entries(problems).map(([code, { title }]) => [code, `${title}.`]));
const problemCode = values("ProblemCode", "The reason, for programs.", titles as Record<ProblemCode, string>);
const fieldProblem = z
  .object({
    field: z.string().meta({ description: "The field's path in the body, or the name of the header or query value." }),
    code: values("FieldProblemCode", "The error, for programs.", fieldCodes),
    message: z.string().meta({ description: 'The error, for people. It continues the sentence "the field …".' }),
  })
  .meta({ id: "FieldProblem", description: "A field that is missing or wrong." });

/** An error as callers see it: RFC 9457, with members that programs act on. Input is never repeated. */
export const problemObject = z
  .object({
    type: z.string().meta({
      format: "uri",
      description:
        "A URI that identifies the problem type: the address of its section in the problem page, or `about:blank` if the operator does not publish that page. Programs use `code`.",
    }),
    title: z.string().meta({ description: "The meaning of the code." }),
    status: z.int().meta({ description: "The HTTP status." }),
    detail: z.string().optional().meta({ description: "An explanation for people. The wording may change." }),
    instance: z.string().meta({ description: "The path of the request." }),
    code: problemCode,
    requestID: z
      .string()
      .meta({ description: "The request's identifier, also in `x-request-id`. Quote it in questions to us." }),
    retryable: z.boolean().meta({ description: "The same request may succeed later." }),
    currentStatus: paymentStatus.optional(),
    sessionID: sessionID
      .optional()
      .meta({ description: "The session that conflicts with the request, if it is yours." }),
    refundID: refundID
      .optional()
      .meta({ description: "The earlier refund that the request may repeat, or the one that cannot be withdrawn." }),
    refundStatus: refundStatus.optional(),
    refundedAt: instant.optional().meta({ description: "The time at which the success of that refund was reported." }),
    cancelled: z.literal(true).optional().meta({
      description: "The cancel took effect: the session can never be requested for this terminal.",
    }),
    errors: z
      .array(fieldProblem)
      .optional()
      .meta({ description: "The missing or wrong fields, at most 20. For a 401, the header." }),
  })
  .meta({ id: "Problem", description: "A problem by RFC 9457, with a code for programs." });
export type ProblemObject = z.infer<typeof problemObject>;

/** Any problem: a refusal of a use case, or a problem that was found before one ran. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly currentStatus?: PaymentState;
  readonly sessionId?: string;
  readonly refund?: NamedRefund;
  readonly retryAfterSeconds?: number;
  readonly errors?: readonly FieldProblem[];
}

/** The request in which a problem occurs. */
export interface ProblemPlace {
  /** The path of the request. */
  readonly instance: string;
  readonly requestID: string;
  /** The address of the page of problems, on which each code is an anchor. Undefined if it is not published. */
  readonly pagesUrl?: string | undefined;
}

/** The problem as callers see it. `type` leads people to the code's section, while programs compare `code`. (RFC 9457) */
export function toProblemObject(problem: Problem, { instance, requestID, pagesUrl }: ProblemPlace): ProblemObject {
  const { status, title, retryable } = problems[problem.code];
  const { code, detail, currentStatus, refund, errors } = problem;
  const sessionID = problem.sessionId;
  return {
    type: pagesUrl === undefined ? "about:blank" : `${pagesUrl}#${code}`,
    title,
    status,
    detail,
    instance,
    code,
    requestID,
    retryable: retryable || problem.retryAfterSeconds !== undefined,
    currentStatus,
    sessionID,
    refundID: refund?.idAsReceived,
    refundStatus: refund?.status,
    refundedAt: refund?.status === "succeeded" ? refund.updatedAt : undefined,
    cancelled: code === "payment_never_requested" ? true : undefined,
    errors: errors?.slice(),
  };
}
