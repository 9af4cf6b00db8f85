import type { Payment } from "../../domain/payment/record/payment.ts";
import { isUnfetched, waitOf } from "../../domain/payment/life/waits.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Needs } from "../needs.ts";
import { openMessages } from "../terminals/open-messages.ts";
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

/**
 * The sequences of the payment's messages that the terminal has certainly not fetched.
 * Undefined if no capture or refund waits, which is known without a read.
 */
export async function findUnfetched(
  deps: Needs<"inboxes">,
  payment: Payment,
): Promise<ReadonlySet<number> | undefined> {
  if (!payment.deadlines.some((deadline) => waitOf(payment, deadline))) return undefined;
  const open = await openMessages(deps, payment);
  return new Set(open.filter((sent) => isUnfetched(payment, sent)).map(({ slot }) => slot.sequence));
}
