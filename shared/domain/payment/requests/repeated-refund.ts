import { shownMoney } from "../../money.ts";
import type { Refusal } from "../../refusal.ts";
import { ok, refuse } from "../../result.ts";
import { msBetween, type Instant } from "../../time.ts";
import type { Decision } from "../life/decision.ts";
import type { Payment, Refund } from "../record/payment.ts";
import type { RefundRequest } from "./refund-request.ts";
import { sequenceOfName } from "./undelivered-refunds.ts";

// Whether a request for a refund repeats an earlier one, or may repeat it.

const DUPLICATE_SECONDS = 24 * 3600;
/** A refund without its wait. */
type Wanted = Omit<RefundRequest, "deliverWithinSeconds" | "confirmDuplicate">;

/** Seconds for which an equal refund may wait before another one is a possible duplicate of it. */
const WAITING_SECONDS = 60;

/**
 * The pending refunds like this one that have existed for a minute, and that the request does not name. If the terminal has not fetched one
 * of them, the request is a possible duplicate.
 */
export const waitingLike = (payment: Payment, request: RefundRequest, now: Instant): readonly Refund[] =>
  payment.refunds.filter(
    (refund) =>
      refund.status === "pending" &&
      isSame(refund, request) &&
      msBetween(refund.createdAt, now) > WAITING_SECONDS * 1000 &&
      !request.names.some((name) => isNamed(payment, refund, name)),
  );

export function waitsAlready(refund: Refund): Refusal<"possible_duplicate"> {
  const waits = `A refund of this amount and reason has waited for the terminal since ${refund.createdAt}; if you repeat a request whose answer you lost, it is requested.`;
  const detail = `${waits} To make another refund, send it with a refundID of its own and confirmDuplicate.`;
  return { code: "possible_duplicate", detail, refund };
}

/**
 * A name that was accepted once means that refund forever. So all names of a request must mean one refund, or all must be new. A new name
 * next to a known one is refused: a replay writes nothing, and the new name alone would later make another refund. Undefined if no name is
 * known.
 *
 * @param seconds the wait of the request. Undefined if it leaves the wait as it was
 */
export function repeatsNamed(
  payment: Payment,
  request: Wanted,
  seconds: number | undefined,
): Decision<"idempotency_mismatch"> | undefined {
  const { currency, refunds } = payment;
  const [meant, ...others] = request.names.map((name) => refunds.find((r) => isNamed(payment, r, name)));
  if (others.some((other) => other !== meant)) {
    return refuse({
      code: "idempotency_mismatch",
      detail: "The refundID and the Idempotency-Key do not belong to the same refund.",
    });
  }
  if (!meant) return undefined;
  if (isSame(meant, request) && (seconds ?? secondsOf(meant)) === (secondsOf(meant) ?? seconds)) return ok("unchanged");
  const detail = `The refund of this name is of ${shownMoney(meant.amount, currency)}. Its amount, reason, charge or wait differs.`;
  return refuse({ code: "idempotency_mismatch", detail });
}

/** Every refund is also named by its refundID. The payment has the names of a refund that had left its record. */
const isNamed = (payment: Payment, { refundId, names, sequence }: Refund, name: string): boolean =>
  name === refundId || names.includes(name) || sequenceOfName(payment, name) === sequence;

/** How long the refund's message waits, in seconds. Undefined for a refund whose wait is not known. */
const secondsOf = ({ createdAt, deliverBefore }: Refund): number | undefined =>
  deliverBefore === undefined ? undefined : msBetween(createdAt, deliverBefore) / 1000;

const isSame = (one: Pick<Wanted, "amount" | "reason" | "chargeId">, other: typeof one): boolean =>
  one.amount === other.amount && one.reason === other.reason && one.chargeId === other.chargeId;

/**
 * A failed refund moved no money, so the same request after it is a new try. A refund that was made is never replayed: the customer may
 * return another article of the same price, and its refund would be lost.
 */
export function repeatsUnnamed(
  { refunds }: Payment,
  request: Wanted,
  now: Instant,
): Decision<"possible_duplicate"> | undefined {
  const like = refunds.findLast((r) => r.names.length === 0 && r.status !== "failed" && isSame(r, request));
  if (!like) return undefined;
  if (like.status === "pending") return ok("unchanged");
  if (msBetween(like.createdAt, now) >= DUPLICATE_SECONDS * 1000) return undefined;
  const made = `This refund was made at ${like.updatedAt}; if you repeat a request whose answer you lost, it is done.`;
  const detail = `${made} To make another refund, send it with a refundID of its own.`;
  return refuse({ code: "possible_duplicate", detail, refund: like });
}
