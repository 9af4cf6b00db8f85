import { invalidField } from "../../refusal.ts";
import { ok, refuse } from "../../result.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { concludeRefund } from "./refund.ts";
import { unfit } from "./what-fits.ts";

/** Why a refund is not withdrawn, by its status. */
const detailOf: Readonly<Record<Refund["status"], string>> = {
  pending: "The terminal may have fetched the refund. Wait for its outcome.",
  succeeded: "The refund was made.",
  failed: "The refund has failed. No money was returned.",
};

/** The payment's refund with this `refundID`. An operator's refund outside the platform has no message. */
export const refundNamed = ({ refunds }: Payment, refundId: string): Refund | undefined =>
  refunds.find((refund) => refund.refundId === refundId.toLowerCase());

/**
 * Withdraws a refund at its partner's request, if the terminal has not fetched it. Nothing else of the payment changes. A refund that was
 * withdrawn before is a replay.
 *
 * @param isUnfetched whether the refund's message leaves the inbox with this change, so the terminal never gets it
 */
export function withdrawRefund(
  payment: Payment,
  refundId: string,
  isUnfetched: boolean,
  context: DecisionContext,
): Decision<"validation_failed" | "invalid_state"> {
  const refund = refundNamed(payment, refundId);
  if (!refund) return refuse(invalidField("refundID", "invalid", "is not a refund of this payment"));
  const { status, statusReason } = refund;
  if (status === "failed" && statusReason === "cancelledByPartner") return ok("unchanged");
  const outcome = { status: "failed", statusReason: "cancelledByPartner" } as const;
  const isWithdrawn = status === "pending" && isUnfetched;
  const change = isWithdrawn ? concludeRefund(payment, refund, outcome, { ...context, by: "partner" }) : undefined;
  return change ? ok(change) : refuse({ ...unfit("refund", payment), detail: detailOf[status], refund });
}
