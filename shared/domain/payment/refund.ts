import { advance, record, type Change, type Step } from "./advance.ts";
import { mailing, refundedAmount, refundPendingAmount, type Payment, type Refund } from "./payment.ts";
import type { Refusal } from "../refusal.ts";
import { ok, refuse, type Result } from "../result.ts";
import { after, msBetween } from "../time.ts";

export interface RefundRequest {
  readonly refundId: string;
  readonly identity: string | undefined;
  readonly amount: number;
  readonly reason: string;
}

/** So many refunds a payment can have; each is kept with it. */
const MOST_REFUNDS = 100;
const REPLAY_SECONDS = 60;
const DUPLICATE_SECONDS = 24 * 3600;

type Context = Omit<Step, "event" | "by" | "set" | "effects">;

/**
 * Adds a refund to a captured payment, or finds that the request repeats one. With an identity the same refund replays and
 * another under that name is refused; without, the same amount and reason replays while the first is pending or young, and is
 * a possible duplicate for a day.
 */
export function requestRefund(
  payment: Payment,
  request: RefundRequest,
  context: Context,
): Result<Change | "replay", Refusal> {
  const { identity, amount, reason, refundId } = request;
  const { now, commandId, timings } = context;
  const { refunds, currency, status: currentStatus } = payment;
  const isSame = (r: Refund) => r.amount === amount && r.reason === reason;
  if (identity !== undefined) {
    const named = refunds.find((r) => r.identity === identity);
    if (named) return isSame(named) ? ok("replay") : refuse({ code: "idempotency_mismatch" });
  } else {
    const like = refunds.findLast((r) => r.identity === undefined && isSame(r));
    const age = like ? msBetween(like.createdAt, now) / 1000 : Infinity;
    if (like?.status === "pending" || age < REPLAY_SECONDS) return ok("replay");
    if (like?.status === "succeeded" && age < DUPLICATE_SECONDS) {
      const detail = "The same refund was made within a day: name this one with a refundID if it is meant.";
      return refuse({ code: "possible_duplicate", detail });
    }
  }
  if (currentStatus !== "captured") return refuse({ code: "invalid_state", currentStatus });
  if (refunds.length >= MOST_REFUNDS) {
    return refuse({ code: "invalid_state", currentStatus, detail: `A payment has at most ${MOST_REFUNDS} refunds.` });
  }
  const left = payment.amounts.captured - refundedAmount(payment) - refundPendingAmount(payment);
  if (amount > left) return refuse({ code: "amount_exceeds_refundable" });

  const sequence = payment.sequence + 1;
  const times = { createdAt: now, updatedAt: now };
  const refund: Refund = { refundId, identity, amount, reason, status: "pending", commandId, sequence, ...times };
  const message = mailing({ ...payment, sequence }, { type: "refund", refundId, amount, currency, reason });
  const change = advance(payment, {
    ...context,
    event: "refund",
    by: "partner",
    set: { refunds: [...refunds, refund] },
    effects: [
      { kind: "message", mailing: message },
      { kind: "deadline", deadline: "outcome", due: after(now, timings.outcomeSeconds) },
    ],
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus });
}

/** What became of a refund. It is told of, and a full refund gives the order back. */
export function settleRefund(
  payment: Payment,
  refund: Refund,
  outcome: { readonly status: "succeeded" | "failed"; readonly statusReason?: string | undefined },
  context: Context & { readonly by: Step["by"] },
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
export function doubtRefund(payment: Payment, refund: Refund, context: Context): Change {
  const doubted = { ...refund, statusReason: "outcomeUnknown", updatedAt: context.now };
  const change = record(payment, {
    ...context,
    event: "outcomeOverdue",
    by: "platform",
    set: { refunds: replaced(payment, doubted) },
  });
  const query = mailing(change.payment, { type: "statusQuery", refundId: refund.refundId });
  return { ...change, effects: [{ kind: "message", mailing: query }] };
}

const replaced = (payment: Payment, refund: Refund): readonly Refund[] =>
  payment.refunds.map((r) => (r.refundId === refund.refundId ? refund : r));
