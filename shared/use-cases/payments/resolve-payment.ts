import { advance } from "../../domain/payment/advance.ts";
import { payableAmount, type Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { change, type ChangePayment } from "./change-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { PaymentKey } from "../../ports/subjects.ts";

export interface Settlement {
  /** What the acquirer's own records say of the card. */
  readonly outcome: "paid" | "unpaid";
  /** Who settled it, and why; the history keeps both. */
  readonly by: string;
  readonly why: string;
}

/** Ends a payment in doubt whose terminal is gone, by an operator's word. Nothing else may settle what is not known. */
export async function resolvePayment(
  deps: ChangePayment,
  key: PaymentKey,
  { outcome, by, why }: Settlement,
): Promise<Result<Payment, Refusal>> {
  return retryOnConflict(async () => {
    const stored = await deps.payments.find(key);
    if (!stored) return refuse({ code: "payment_not_found" });
    const { payment, etag } = stored;
    const commandId = deps.newId();
    const amount = payableAmount(payment);
    const decided = advance(payment, {
      event: outcome === "paid" ? "settledPaid" : "settledUnpaid",
      by: "operator",
      now: deps.clock.now(),
      commandId,
      timings: deps.timings,
      detail: `${by}: ${why}`,
      set: outcome === "paid" ? { amounts: { ...payment.amounts, authorized: amount, captured: amount } } : {},
    });
    if (!decided) return refuse({ code: "invalid_state", currentStatus: payment.status });
    return ok(await change(deps, decided, etag, commandId, undefined));
  });
}
