import { resolve, type Resolution } from "../../domain/payment/resolve.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Result } from "../../domain/result.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { amendPayment, type AmendPaymentDeps, type AmendResult } from "../outbox/amend-payment.ts";

/** Ends a payment in doubt whose terminal is gone, as an operator says. */
export const resolvePayment = (
  deps: AmendPaymentDeps,
  call: CallContext,
  key: PaymentKey,
  resolution: Resolution,
): Promise<Result<AmendResult, Refusal<"payment_not_found" | "invalid_state">>> =>
  amendPayment(deps, call, { key, decide: (payment, context) => resolve(payment, resolution, context) });
