import { toMinorUnits } from "../../domain/money.ts";
import type { Payment } from "../../domain/payment/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { requestRefund } from "../../domain/payment/refund.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Caller } from "../auth/caller.ts";
import { change, findOwn, type ChangePayment } from "./change-payment.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";

export interface RefundInput {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly currency: string;
  /** In the currency's major unit. */
  readonly refundAmount: number;
  readonly reason: string;
  readonly refundId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Has the terminal give money back, wholly or in part, as often as captured money is left. */
export async function refundPayment(
  deps: ChangePayment,
  caller: Caller,
  asked: RefundInput,
  traceparent?: string,
): Promise<Result<{ payment: Payment; replayed: boolean }, Refusal>> {
  return retryOnConflict(async () => {
    const found = await findOwn(deps.payments, caller, asked);
    if (!found.ok) return found;
    const { payment, etag } = found.value;
    if (asked.currency !== payment.currency) return refuse({ code: "currency_mismatch" });
    const amount = toMinorUnits(asked.refundAmount, asked.currency);
    if (!amount.ok || amount.value === 0) {
      const message = `must be a positive amount of ${payment.currency}`;
      return refuse({ code: "validation_failed", errors: [{ field: "refundAmount", code: "custom", message }] });
    }
    const commandId = deps.newId();
    const identity = asked.refundId?.toLowerCase() ?? (asked.idempotencyKey && `key ${asked.idempotencyKey}`);
    const refundId = asked.refundId ?? deps.newId();
    const request = { refundId, identity, amount: amount.value, reason: asked.reason };
    const decided = requestRefund(payment, request, { now: deps.clock.now(), commandId, timings: deps.timings });
    if (!decided.ok) return decided;
    if (decided.value === "replay") return ok({ payment, replayed: true });
    return ok({ payment: await change(deps, decided.value, etag, commandId, traceparent), replayed: false });
  });
}
