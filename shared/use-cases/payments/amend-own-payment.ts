import type { Refusal } from "../../domain/refusal.ts";
import { refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { amendPayment, type Amendment, type AmendPaymentDeps, type AmendResult } from "./amend-payment.ts";

/** The payment that a partner's request names, and the terminal that the request says it is on. */
export interface PaymentTarget {
  readonly sessionId: string;
  readonly terminalId: string;
}

/**
 * Amends a payment of the caller's on the terminal that the request names. Another partner's payment, and one on a terminal that the key
 * does not reach, are refused as if they did not exist.
 */
export const amendOwnPayment = <E>(
  deps: AmendPaymentDeps,
  call: PartnerCall,
  { sessionId, terminalId }: PaymentTarget,
  decide: Amendment<undefined, E>["decide"],
): Promise<Result<AmendResult, E | Refusal<"payment_not_found" | "terminal_mismatch">>> =>
  amendPayment<E | Refusal<"payment_not_found" | "terminal_mismatch">>(deps, call, {
    key: { partnerId: call.caller.partnerId, sessionId },
    decide: (payment, context) => {
      if (!reaches(call.caller, payment.terminalId)) return refuse({ code: "payment_not_found" });
      if (payment.terminalId !== terminalId) return refuse({ code: "terminal_mismatch" });
      return decide(payment, context, undefined);
    },
  });
