import { advance, record, type Change, type Step } from "./advance.ts";
import { refundedAmount, refundPendingAmount, wantedCharge, type Payment, type Refund } from "./payment.ts";
import { toMinorUnits } from "../money.ts";
import { invalidField, type Refusal } from "../refusal.ts";
import { ok, refuse, type Result } from "../result.ts";
import { after, msBetween, type Instant } from "../time.ts";
import type { Decision, DecisionContext } from "./decision.ts";

/** A refund as a partner asks for it. */
export interface RefundInput {
  readonly currency: string;
  /** In the currency's major unit. */
  readonly refundAmount: number;
  readonly reason: string;
  /** The partner's own names for it, where it has any; either makes a repeat safe for ever. */
  readonly refundId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** A refund in the platform's own terms. */
export interface RefundRequest {
  readonly refundId: string;
  /** What the caller named it by; undefined when it named nothing. */
  readonly identity: string | undefined;
  /** Integer minor units. */
  readonly amount: number;
  readonly reason: string;
}

/** So many refunds a payment can have; each is kept with it. */
const MOST_REFUNDS = 100;
const REPLAY_SECONDS = 60;
const DUPLICATE_SECONDS = 24 * 3600;

/** Reads a refund of this payment. `newRefundId` names one that its caller did not name. */
export function refundRequest(
  { currency }: Payment,
  { refundId, idempotencyKey, ...input }: RefundInput,
  newRefundId: () => string,
): Result<RefundRequest, Refusal<"currency_mismatch" | "validation_failed">> {
  if (input.currency !== currency) return refuse({ code: "currency_mismatch" });
  const amount = toMinorUnits(input.refundAmount, currency);
  if (!amount.ok || amount.value === 0) {
    return refuse(invalidField("refundAmount", "custom", `must be a positive amount of ${currency}`));
  }
  const identity = refundId?.toLowerCase() ?? (idempotencyKey && `key ${idempotencyKey}`);
  return ok({ refundId: refundId ?? newRefundId(), identity, amount: amount.value, reason: input.reason });
}

export type RefundRefusal =
  | "idempotency_mismatch"
  | "possible_duplicate"
  | "invalid_state"
  | "amount_exceeds_refundable";

/**
 * Adds a refund to a captured payment, or finds that the request repeats one. With an identity the same refund replays and
 * another under that name is refused; without, the same amount and reason replays while the first is pending or young, and is
 * a possible duplicate for a day.
 */
export function requestRefund(
  payment: Payment,
  request: RefundRequest,
  context: DecisionContext,
): Decision<RefundRefusal> {
  const { currency, status: currentStatus } = payment;
  const repeated = repeats(payment, request, context.now);
  if (repeated) return repeated;
  const trouble = whyNotRefundable(payment, request.amount);
  if (trouble) return refuse(trouble);

  const { now, commandId, timings } = context;
  const sequence = payment.sequence + 1;
  const times = { createdAt: now, updatedAt: now };
  const refund: Refund = { ...request, status: "pending", commandId, sequence, ...times };
  const { refundId, amount, reason } = refund;
  const change = advance(payment, {
    ...context,
    event: "refund",
    by: "partner",
    set: { refunds: [...payment.refunds, refund] },
    effects: [
      {
        kind: "message",
        message: { type: "refund", refundId, chargeId: wantedCharge(payment)?.chargeId, amount, currency, reason },
      },
      { kind: "deadline", deadline: "outcome", due: after(now, timings.outcomeSeconds) },
    ],
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus });
}

/** What a request comes to that repeats an earlier refund, or may; undefined for a new one. */
function repeats(
  { refunds }: Payment,
  { identity, amount, reason }: RefundRequest,
  now: Instant,
): Decision<"idempotency_mismatch" | "possible_duplicate"> | undefined {
  const isSame = (r: Refund) => r.amount === amount && r.reason === reason;
  if (identity !== undefined) {
    const named = refunds.find((r) => r.identity === identity);
    if (!named) return undefined;
    return isSame(named) ? ok("unchanged") : refuse({ code: "idempotency_mismatch" });
  }
  const like = refunds.findLast((r) => r.identity === undefined && isSame(r));
  if (!like) return undefined;
  const age = msBetween(like.createdAt, now) / 1000;
  if (like.status === "pending" || age < REPLAY_SECONDS) return ok("unchanged");
  if (like.status === "failed" || age >= DUPLICATE_SECONDS) return undefined;
  const detail = "The same refund was made within a day: name this one with a refundID if it is meant.";
  return refuse({ code: "possible_duplicate", detail });
}

function whyNotRefundable(
  payment: Payment,
  amount: number,
): Refusal<"invalid_state" | "amount_exceeds_refundable"> | undefined {
  const { status: currentStatus, refunds } = payment;
  if (currentStatus !== "captured") return { code: "invalid_state", currentStatus };
  if (refunds.length >= MOST_REFUNDS) {
    return { code: "invalid_state", currentStatus, detail: `A payment has at most ${MOST_REFUNDS} refunds.` };
  }
  const left = payment.amounts.captured - refundedAmount(payment) - refundPendingAmount(payment);
  return amount > left ? { code: "amount_exceeds_refundable" } : undefined;
}

/** What became of a refund. It is told of, and a full refund gives the order back. */
export function settleRefund(
  payment: Payment,
  refund: Refund,
  outcome: { readonly status: "succeeded" | "failed"; readonly statusReason?: string | undefined },
  context: DecisionContext & { readonly by: Step["by"] },
): Change | undefined {
  const set = { refunds: replaced(payment, { ...refund, ...outcome, updatedAt: context.now }) };
  return advance(payment, {
    ...context,
    event: outcome.status === "succeeded" ? "refunded" : "refundFailed",
    set,
    effects: [{ kind: "webhook", type: `refund.${outcome.status}`, about: refund.refundId }],
  });
}

/** Silence over a refund that the terminal has fetched: it may have been made, so the terminal is asked. */
export function doubtRefund(payment: Payment, refund: Refund, context: DecisionContext): Change {
  const doubted = { ...refund, statusReason: "outcomeUnknown", updatedAt: context.now };
  const change = record(payment, {
    ...context,
    event: "outcomeOverdue",
    by: "platform",
    set: { refunds: replaced(payment, doubted) },
  });
  return { ...change, effects: [{ kind: "message", message: { type: "statusQuery", refundId: refund.refundId } }] };
}

const replaced = (payment: Payment, refund: Refund): readonly Refund[] =>
  payment.refunds.map((r) => (r.refundId === refund.refundId ? refund : r));
