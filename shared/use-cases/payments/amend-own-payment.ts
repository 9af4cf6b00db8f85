import type { Refusal } from "../../domain/refusal.ts";
import { refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { findSession, type FindSessionDeps } from "./find-session.ts";
import { isPayment, whyNoPayment, type NoPayment } from "./why-no-payment.ts";
import { amendPayment, type Amendment, type AmendPaymentDeps, type AmendResult } from "./amend-payment.ts";

/** The payment that a partner's request names, and the terminal that the request says it is on. */
export interface PaymentTarget {
  readonly sessionId: string;
  readonly terminalId: string;
}

export type AmendOwnPaymentDeps = AmendPaymentDeps & FindSessionDeps;

type NotOwn = NoPayment | Refusal<"terminal_mismatch">;

/**
 * Amends one of the caller's payments on the terminal that the request names. A payment of another partner, or on a terminal that the key
 * does not reach, is refused as if it did not exist.
 */
export async function amendOwnPayment<E extends { readonly code: string }, Read = undefined>(
  deps: AmendOwnPaymentDeps,
  call: PartnerCall,
  { sessionId, terminalId }: PaymentTarget,
  { read, bind, decide }: Pick<Amendment<E, Read>, "read" | "bind" | "decide">,
): Promise<Result<AmendResult<Read>, E | NotOwn>> {
  const { partnerId } = call.caller;
  const amended = await amendPayment<E | NotOwn, Read>(deps, call, {
    key: { partnerId, terminalId, sessionId },
    ...(read && { read }),
    ...(bind && { bind }),
    decide: (payment, context, known) =>
      reaches(call.caller, terminalId) ? decide(payment, context, known) : refuse({ code: "payment_not_found" }),
  });
  if (amended.ok || amended.error.code !== "payment_not_found") return amended;
  const found = await findSession(deps, { partnerId, sessionId });
  if (!isPayment(found)) return found ? refuse(whyNoPayment(found)) : amended;
  const { terminalId: where } = found.payment;
  if (where === terminalId || !reaches(call.caller, where)) return amended;
  return refuse({ code: "terminal_mismatch", detail: `The payment is on the terminal ${where}.` });
}
