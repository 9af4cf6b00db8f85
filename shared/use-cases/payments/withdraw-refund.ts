import type { Refund } from "../../domain/payment/record/payment.ts";
import { refundNamed, withdrawRefund as decideWithdrawal } from "../../domain/payment/requests/refund-withdrawal.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import type { PartnerCall } from "../caller.ts";
import type { JudgeKeyDeps, KeyRefusal } from "../idempotency-key.ts";
import type { Needs } from "../needs.ts";
import { openMessages, taking, unfetched } from "../terminals/open-messages.ts";
import { amendOwnPayment, type AmendOwnPaymentDeps } from "./amend-own-payment.ts";
import type { AmendResult } from "./amend-payment.ts";
import { findUndelivered } from "./find-undelivered.ts";
import { including } from "./refund-payment.ts";
import { type KeyedTarget, keyOfTarget, underKey } from "./under-key.ts";

export type WithdrawRefundDeps = AmendOwnPaymentDeps & JudgeKeyDeps & Needs<"inboxes">;

/** A refund that its partner does not want any more. */
export interface RefundTarget extends KeyedTarget {
  readonly refundId: string;
}

type WithdrawRefusal =
  | KeyRefusal
  | Refusal<"payment_not_found" | "terminal_mismatch" | "invalid_state" | "validation_failed">;

/** `left`: the refund, if it has left the payment's record. */
interface Reading {
  readonly open: readonly InboxRow[];
  readonly left: Refund | undefined;
}

/**
 * Withdraws a refund that the terminal has not fetched. Its message leaves the inbox with the change, so the terminal never gets it. A
 * refund that was withdrawn before is a replay, also if it has left the payment's record. A payment that does not exist leaves no tombstone.
 */
export async function withdrawRefund(
  deps: WithdrawRefundDeps,
  call: PartnerCall,
  target: RefundTarget,
): Promise<Result<Pick<AmendResult, "payment" | "replayed">, WithdrawRefusal>> {
  const { refundId } = target;
  const keyed = keyOfTarget("cancel", call, target, `refundID=${refundId.toLowerCase()}`);
  const amendment = underKey<Refusal<"invalid_state" | "validation_failed">, Reading>(deps, call, keyed, {
    async read(found) {
      const payment = await found();
      const isPending = payment && refundNamed(payment, refundId)?.status === "pending";
      const [open, left] = await Promise.all([
        isPending ? openMessages(deps, payment) : [],
        findUndelivered(deps, payment, [refundId.toLowerCase()]),
      ]);
      return { open, left };
    },
    decide(payment, context, { open, left }) {
      const known = including(payment, left);
      const refund = refundNamed(known, refundId);
      const message = refund && unfetched(known, open, refund.sequence);
      const decided = decideWithdrawal(known, refundId, message !== undefined, context);
      return decided.ok && message ? ok(taking(decided.value, [message])) : decided;
    },
  });
  const withdrawn = await amendOwnPayment(deps, call, target, amendment);
  if (!withdrawn.ok) return withdrawn;
  const { payment, replayed, read } = withdrawn.value;
  return ok({ payment: including(payment, read.own.left), replayed });
}
