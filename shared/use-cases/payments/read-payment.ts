import type { Payment } from "../../domain/payment/record/payment.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { reaches, type PartnerCall } from "../caller.ts";
import { findSession, type FindSessionDeps } from "./find-session.ts";
import { isPayment, whyNoPayment, type NoPayment } from "./why-no-payment.ts";

export type ReadPaymentDeps = FindSessionDeps;

/**
 * Reads one of the caller's payments. A payment of another partner, or on a terminal that the key does not reach, is refused as if it did
 * not exist.
 */
export async function readPayment(
  deps: ReadPaymentDeps,
  { caller }: PartnerCall,
  sessionId: string,
): Promise<Result<Payment, NoPayment>> {
  const found = await findSession(deps, { partnerId: caller.partnerId, sessionId: sessionId.toLowerCase() });
  const isReached = isPayment(found) && reaches(caller, found.payment.terminalId);
  return isReached ? ok(found.payment) : refuse(whyNoPayment(found));
}
