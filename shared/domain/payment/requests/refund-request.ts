import { inCurrency, invalidAmount } from "../../amount-problem.ts";
import { isIdentifier } from "../../identifier.ts";
import { toMinorUnits } from "../../money.ts";
import type { Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { refundedAs } from "../record/kept-money.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { sequenceOfName } from "./undelivered-refunds.ts";

/** A refund as the partner requests it. */
export interface RefundInput {
  readonly currency: string;
  /** In the currency's major unit. */
  readonly refundAmount: number;
  readonly reason: string;
  /** The charge to give back; the wanted one when left out. */
  readonly chargeId?: string | undefined;
  /** The partner's names for it, if any. Each makes a repeated request safe forever. */
  readonly refundId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** How long its message waits for the terminal. Undefined for the time of a missing answer. */
  readonly deliverWithinSeconds?: number | undefined;
  /** The partner says that it is another refund than an equal one that waits. */
  readonly confirmDuplicate?: boolean | undefined;
}

/** A refund in the platform's own terms. */
export interface RefundRequest extends Pick<
  Refund,
  "refundId" | "idAsReceived" | "names" | "amount" | "chargeId" | "reason"
> {
  readonly deliverWithinSeconds?: number | undefined;
  readonly confirmDuplicate?: boolean | undefined;
}

/**
 * Checks a refund request for this payment. If a refund has no `refundID`, `identifierOf` derives one from its content. The refund gets the
 * same identifier when it is requested again after a restore, so its terminal makes it once.
 */
export function refundRequest(
  payment: Payment,
  { refundId, idempotencyKey, chargeId, confirmDuplicate, deliverWithinSeconds, ...input }: RefundInput,
  identifierOf: (text: string) => string,
): Result<RefundRequest, Refusal<"currency_mismatch" | "validation_failed">> {
  const { currency } = payment;
  if (input.currency !== currency) return refuse({ code: "currency_mismatch", detail: inCurrency(currency) });
  const amount = toMinorUnits(input.refundAmount, currency);
  if (!amount.ok || amount.value === 0) {
    return refuse(invalidAmount("refundAmount", amount.ok ? "zero" : amount.error, currency));
  }
  const request = {
    names: namesOf({ refundId, idempotencyKey }),
    amount: amount.value,
    // A refund of the wanted charge is the same refund whether it names the charge or not.
    chargeId: chargeId && refundedAs(payment, { chargeId: chargeId.toLowerCase() }),
    reason: input.reason,
  };
  const idAsReceived = refundId ?? firstFree(payment, request, identifierOf);
  return ok({ ...request, deliverWithinSeconds, confirmDuplicate, refundId: idAsReceived.toLowerCase(), idAsReceived });
}

/** The caller's names for a refund, in the form in which names are compared. */
export const namesOf = ({ refundId, idempotencyKey }: Pick<RefundInput, "refundId" | "idempotencyKey">): string[] =>
  [refundId?.toLowerCase(), idempotencyKey ? canonicalName(idempotencyKey) : undefined].filter(
    (name) => name !== undefined,
  );

/**
 * The first identifier of the request that no refund of the payment has. The count is of identifiers, not of refunds. A named refund gets
 * the same identifier, whichever other refunds a restore lost. An identifier that a caller has since used as a refundID is not given again.
 */
function firstFree(
  payment: Payment,
  { names, amount, chargeId, reason }: Pick<RefundRequest, "names" | "amount" | "chargeId" | "reason">,
  identifierOf: (text: string) => string,
): string {
  const { partnerId, sessionId, refunds } = payment;
  const taken = new Set(refunds.map(({ refundId }) => refundId));
  const most = taken.size + Object.keys(payment.undelivered ?? {}).length;
  const isTaken = (id: string) => taken.has(id) || sequenceOfName(payment, id) !== undefined;
  const identifier = (before: number): string =>
    identifierOf(JSON.stringify([partnerId, sessionId, names, amount, chargeId ?? null, reason, before]));
  let before = 0;
  while (before < most && isTaken(identifier(before).toLowerCase())) before++;
  return identifier(before);
}

/** A key that has the form of an identifier is compared as one, since it may be a refundID. Any other key is compared byte for byte. */
export const canonicalName = (key: string): string => (isIdentifier(key) ? key.toLowerCase() : key);
