import { ok, refuse } from "../../result.ts";
import { after } from "../../time.ts";
import { advance, type Change, type Step } from "../life/advance.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";
import { eventBy } from "../life/event-by.ts";
import { wantedCharge } from "../record/charge.ts";
import type { Decline } from "../record/decline-code.ts";
import { withRefundedTip } from "../record/kept-money.ts";
import type { Payment, Refund } from "../record/payment.ts";
import type { RefundRequest } from "./refund-request.ts";
import { repeatsNamed, repeatsUnnamed, waitsAlready } from "./repeated-refund.ts";
import { withRoom } from "./undelivered-refunds.ts";
import { unfit } from "./what-fits.ts";
import { whyNotRefundable } from "./why-not-refundable.ts";

export type RefundRefusal =
  | "idempotency_mismatch"
  | "possible_duplicate"
  | "invalid_state"
  | "validation_failed"
  | "amount_exceeds_refundable";

/**
 * Adds a refund of captured money to a payment, or finds that the request repeats one. Under a known name, the same refund is replayed and
 * another refund is refused. Without a name, the same amount and reason is replayed while the first is pending. Once that has succeeded, it
 * is a possible duplicate, until a day after its request. So is a refund like one that has waited for its terminal for a minute.
 *
 * @param waiting a refund that `waitingLike` found, and that the terminal has not fetched
 */
export function requestRefund(
  payment: Payment,
  { deliverWithinSeconds, confirmDuplicate, ...request }: RefundRequest,
  context: DecisionContext,
  waiting?: Refund,
): Decision<RefundRefusal> {
  const { now, commandId, timings } = context;
  const named = repeatsNamed(payment, request, deliverWithinSeconds);
  if (named) return named;
  if (waiting && !confirmDuplicate) return refuse(waitsAlready(waiting));
  const repeated = request.names.length > 0 ? undefined : repeatsUnnamed(payment, request, now);
  if (repeated) return repeated;
  const trouble = whyNotRefundable(payment, request);
  if (trouble) return refuse(trouble);

  const times = { createdAt: now, updatedAt: now };
  const deliverBefore = after(now, deliverWithinSeconds ?? timings.outcomeSeconds);
  const { sequence } = payment;
  return added(
    payment,
    { ...request, status: "pending", deliverBefore, commandId, sequence: sequence + 1, ...times },
    context,
  );
}

/** Adds the refund, and sends its message. */
function added(payment: Payment, refund: Refund, context: DecisionContext): Decision<"invalid_state"> {
  const { currency } = payment;
  const { refunds: kept, undelivered, withdrawn } = withRoom(payment) ?? payment;
  const { idAsReceived: refundId, amount, reason, deliverBefore: at = context.now } = refund;
  const chargeId = refund.chargeId ?? wantedCharge(payment)?.chargeId;
  const change = advance(payment, {
    ...context,
    event: "refund",
    by: "partner",
    amount,
    set: { refunds: [...kept, refund], undelivered, withdrawn },
    effects: [
      {
        kind: "message",
        message: { type: "refund", refundId, chargeId, amount, currency, reason },
      },
      { kind: "deadline", name: "outcome", about: refund.refundId, at },
      eventBy("partner", "refund.requested", refund.refundId),
    ],
  });
  return change ? ok(change) : refuse(unfit("refund", payment));
}

/** How a refund ended, and why. */
export interface RefundOutcome extends Decline {
  readonly status: "succeeded" | "failed";
  readonly statusReason?: Refund["statusReason"];
  readonly statusDetail?: string | undefined;
}

/** Records a refund's outcome, with its event. A full refund releases the order. */
export function concludeRefund(
  payment: Payment,
  refund: Refund,
  { status, statusReason, statusDetail, declineCode, hostCode }: RefundOutcome,
  context: DecisionContext & Pick<Step, "by" | "alerts">,
): Change | undefined {
  const forgotten = { terminalForgot: undefined, restored: undefined };
  const outcome = { status, statusReason, statusDetail, declineCode, hostCode, updatedAt: context.now };
  const concluded = { ...refund, ...outcome, ...forgotten };
  const set = { refunds: replacedRefund(payment, withRefundedTip(payment, concluded)) };
  return advance(payment, {
    ...context,
    event: status === "succeeded" ? "refunded" : "refundFailed",
    amount: refund.made ?? refund.amount,
    set,
    effects: [eventBy(context.by, `refund.${status}`, refund.refundId)],
  });
}

export const replacedRefund = (payment: Payment, refund: Refund): readonly Refund[] =>
  payment.refunds.map((r) => (r.commandId === refund.commandId ? refund : r));
