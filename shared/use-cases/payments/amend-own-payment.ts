import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import type { NoPayment } from "./why-no-payment.ts";
import { amendPayment, type Amendment, type AmendPaymentDeps, type AmendResult } from "./amend-payment.ts";

/** The payment that a partner's request names, and the terminal that the request says it is on. */
export interface PaymentTarget {
  readonly sessionId: string;
  readonly terminalId: string;
}

type NotOwn = NoPayment | Refusal<"terminal_mismatch">;

/** An amendment, and the fence that every request of its kind needs in this state of the payment. */
interface OwnAmendment<E, Read, Fence, Fenced> extends Omit<Amendment<E, Read, Fence, Fenced>, "key" | "plan"> {
  readonly needs?: (payment: Payment) => Fence | undefined;
}

/**
 * Amends one of the caller's payments on the terminal that the request names. A payment of another partner, or on a terminal that the key
 * does not reach, is refused as if it did not exist.
 */
export const amendOwnPayment = <E, Read = undefined, Fence = never, Fenced = never>(
  deps: AmendPaymentDeps,
  call: PartnerCall,
  { sessionId, terminalId }: PaymentTarget,
  { needs, ...amendment }: OwnAmendment<E, Read, Fence, Fenced>,
): Promise<Result<AmendResult<Read>, E | NotOwn>> =>
  amendPayment<E | NotOwn, Read, Fence, Fenced>(deps, call, {
    ...amendment,
    key: { partnerId: call.caller.partnerId, sessionId },
    plan(payment) {
      if (!reaches(call.caller, payment.terminalId)) return refuse({ code: "payment_not_found" });
      if (payment.terminalId !== terminalId)
        return refuse({ code: "terminal_mismatch", detail: `The payment is on the terminal ${payment.terminalId}.` });
      return ok(needs?.(payment));
    },
  });
