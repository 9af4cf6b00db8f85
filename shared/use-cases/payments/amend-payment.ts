import type { Change } from "../../domain/payment/life/advance.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Timings } from "../../domain/timings.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { commitPayment, type CommitPaymentDeps } from "./commit-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface AmendPaymentDeps extends CommitPaymentDeps {
  readonly timings: Timings;
}

/** How to amend one payment. */
export interface Amendment<Beside, E> {
  readonly key: PaymentKey;
  /** Reads what the decision needs beside the payment, at the same time as the payment. */
  readonly readBeside?: () => Promise<Beside>;
  /**
   * Decides on the payment as it was read. It runs again when another writer was first, and may itself throw `Conflict` for that reason.
   */
  readonly decide: (
    payment: Payment,
    context: DecisionContext,
    beside: Beside,
  ) => Promise<Result<Change | "unchanged", E>> | Result<Change | "unchanged", E>;
}

/** The payment after a decision. `replayed`: it already was as requested, and nothing was written. */
export interface AmendResult {
  readonly payment: Payment;
  readonly replayed: boolean;
}

/**
 * Reads a payment, decides, announces and commits; again when another writer was first. All changes of an existing payment by a request, a
 * report, a timeout or an operator go through here. Throws `Unavailable`.
 */
export const amendPayment = <E, Beside = undefined>(
  deps: AmendPaymentDeps,
  call: CallContext,
  { key, readBeside, decide }: Amendment<Beside, E>,
): Promise<Result<AmendResult, E | Refusal<"payment_not_found">>> =>
  retryOnConflict(async () => {
    const [stored, beside] = await Promise.all([deps.payments.find(key), readBeside?.()]);
    if (!stored) return refuse({ code: "payment_not_found" });
    const commandId = call.newId();
    const context = { now: call.now(), commandId, timings: deps.timings };
    const decided = await decide(stored.payment, context, beside as Beside);
    if (!decided.ok) return decided;
    const change = decided.value;
    if (change === "unchanged") return ok({ payment: stored.payment, replayed: true });
    await commitPayment(deps, call, { change, before: stored.payment, etag: stored.etag, commandId });
    return ok({ payment: change.payment, replayed: false });
  });
