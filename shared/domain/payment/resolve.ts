import { ok, refuse } from "../result.ts";
import { advance } from "./advance.ts";
import type { Decision, DecisionContext } from "./decision.ts";
import { payableAmount, type Payment } from "./payment.ts";

export interface Resolution {
  /** What the acquirer's own records say of the card. */
  readonly outcome: "paid" | "unpaid";
  /** Who resolved it, and why; the history keeps both. */
  readonly by: string;
  readonly why: string;
}

/** Ends a payment in doubt by an operator's word, where its terminal is gone. Nothing else may end what is not known. */
export function resolve(
  payment: Payment,
  { outcome, by, why }: Resolution,
  context: DecisionContext,
): Decision<"invalid_state"> {
  const isPaid = outcome === "paid";
  const amount = payableAmount(payment);
  const change = advance(payment, {
    ...context,
    event: isPaid ? "settledPaid" : "settledUnpaid",
    by: "operator",
    detail: `${by}: ${why}`,
    set: isPaid ? { amounts: { ...payment.amounts, authorized: amount, captured: amount } } : {},
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus: payment.status });
}
