import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";

export type ReadPaymentDeps = Needs<"payments">;

/**
 * Reads one of the caller's payments. A payment of another partner, or on a terminal that the key does not reach, is refused as if it did
 * not exist.
 */
export async function readPayment(
  deps: ReadPaymentDeps,
  { caller }: PartnerCall,
  sessionId: string,
): Promise<Result<Payment, Refusal<"payment_not_found">>> {
  const stored = await deps.payments.find({ partnerId: caller.partnerId, sessionId: sessionId.toLowerCase() });
  if (!stored || !reaches(caller, stored.payment.terminalId)) {
    return refuse({ code: "payment_not_found" });
  }
  return ok(stored.payment);
}
