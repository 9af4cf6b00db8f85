import type { Change } from "../../domain/payment/advance.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { Payments, StoredPayment } from "../../ports/payments.ts";
import { reaches, type Caller } from "../auth/caller.ts";
import { commitPayment, type CommitPaymentDeps } from "../outbox/commit-payment.ts";

/** What a partner's request to change a payment needs. */
export interface ChangePayment extends CommitPaymentDeps {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly timings: Timings;
}

/**
 * The caller's own payment, on the terminal that it names. Another partner's, and one on a terminal beyond the key's reach, are
 * refused as if they did not exist.
 */
export async function findOwn(
  payments: Payments,
  caller: Caller,
  asked: { readonly sessionId: string; readonly terminalId: string },
): Promise<Result<StoredPayment, Refusal>> {
  const stored = await payments.find({ partnerId: caller.partnerId, sessionId: asked.sessionId });
  if (!stored || !reaches(caller, stored.payment.terminalId)) {
    return refuse({ code: "payment_not_found" });
  }
  if (stored.payment.terminalId !== asked.terminalId) return refuse({ code: "terminal_mismatch" });
  return ok(stored);
}

/** Commits a change that the table must have for this payment, and gives the payment as it is then. */
export async function change(
  deps: ChangePayment,
  decided: Change | undefined,
  etag: string,
  commandId: string,
  traceparent: string | undefined,
): Promise<Payment> {
  if (!decided) throw new Error("the request was let through, but the table has no such transition");
  await commitPayment(deps, { change: decided, etag, commandId, traceparent });
  return decided.payment;
}
