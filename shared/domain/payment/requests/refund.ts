import { advance, type Change, type Step } from "../life/advance.ts";
import { isIdentifier } from "../../identifier.ts";
import { refundedAs } from "../record/kept-money.ts";
import { wantedCharge } from "../record/charge.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { inCurrency, invalidAmount } from "../../amount-problem.ts";
import { shownMoney, toMinorUnits } from "../../money.ts";
import type { Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
import { sequenceOfName, withRoom } from "./undelivered-refunds.ts";
import { unfit } from "./what-fits.ts";
import { whyNotRefundable } from "./why-not-refundable.ts";
import { after, msBetween, type Instant } from "../../time.ts";
import type { Decision, DecisionContext } from "../life/decision.ts";

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
}

/** A refund in the platform's own terms. */
export type RefundRequest = Pick<Refund, "refundId" | "idAsReceived" | "names" | "amount" | "chargeId" | "reason">;

const DUPLICATE_SECONDS = 24 * 3600;

/**
 * Checks a refund request for this payment. If a refund has no `refundID`, `identifierOf` derives one from its content. The refund gets the
 * same identifier when it is requested again after a restore, so its terminal makes it once.
 */
export function refundRequest(
  payment: Payment,
  { refundId, idempotencyKey, chargeId, ...input }: RefundInput,
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
  return ok({ ...request, refundId: idAsReceived.toLowerCase(), idAsReceived });
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
  { names, amount, chargeId, reason }: Omit<RefundRequest, "refundId" | "idAsReceived">,
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

export type RefundRefusal =
  | "idempotency_mismatch"
  | "possible_duplicate"
  | "invalid_state"
  | "validation_failed"
  | "amount_exceeds_refundable";

/**
 * Adds a refund of captured money to a payment, or finds that the request repeats one. Under a known name, the same refund is replayed and
 * another refund is refused. Without a name, the same amount and reason is replayed while the first is pending. Once that has succeeded, it
 * is a possible duplicate, until a day after its request.
 */
export function requestRefund(
  payment: Payment,
  request: RefundRequest,
  context: DecisionContext,
): Decision<RefundRefusal> {
  const { currency } = payment;
  const repeated = repeats(payment, request, context.now);
  if (repeated) return repeated;
  const trouble = whyNotRefundable(payment, request);
  if (trouble) return refuse(trouble);

  const { now, commandId, timings } = context;
  const sequence = payment.sequence + 1;
  const times = { createdAt: now, updatedAt: now };
  const refund: Refund = { ...request, status: "pending", commandId, sequence, ...times };
  const { refunds: kept, undelivered } = withRoom(payment) ?? payment;
  const { idAsReceived: refundId, amount, reason } = refund;
  const chargeId = request.chargeId ?? wantedCharge(payment)?.chargeId;
  const change = advance(payment, {
    ...context,
    event: "refund",
    by: "partner",
    amount,
    set: { refunds: [...kept, refund], undelivered },
    effects: [
      {
        kind: "message",
        message: { type: "refund", refundId, chargeId, amount, currency, reason },
      },
      { kind: "deadline", name: "outcome", about: refund.refundId, at: after(now, timings.outcomeSeconds) },
    ],
  });
  return change ? ok(change) : refuse(unfit("refund", payment));
}

/** The decision on a request that repeats an earlier refund, or may repeat it. Undefined for a new refund. */
function repeats(
  payment: Payment,
  request: RefundRequest,
  now: Instant,
): Decision<"idempotency_mismatch" | "possible_duplicate"> | undefined {
  return request.names.length > 0 ? repeatsNamed(payment, request) : repeatsUnnamed(payment, request, now);
}

/**
 * A name that was accepted once means that refund forever. So all names of a request must mean one refund, or all must be new. A new name
 * next to a known one is refused: a replay writes nothing, and the new name alone would later make another refund.
 */
function repeatsNamed(payment: Payment, request: RefundRequest): Decision<"idempotency_mismatch"> | undefined {
  const { currency, refunds } = payment;
  const [meant, ...others] = request.names.map((name) => refunds.find((r) => isNamed(payment, r, name)));
  if (others.some((other) => other !== meant)) {
    return refuse({
      code: "idempotency_mismatch",
      detail: "The refundID and the Idempotency-Key do not belong to the same refund.",
    });
  }
  if (!meant) return undefined;
  if (isSame(meant, request)) return ok("unchanged");
  const detail = `The refund of this name is of ${shownMoney(meant.amount, currency)}. Its amount, reason or charge differs.`;
  return refuse({ code: "idempotency_mismatch", detail });
}

/** Every refund is also named by its refundID. The payment has the names of a refund that had left its record. */
const isNamed = (payment: Payment, { refundId, names, sequence }: Refund, name: string): boolean =>
  name === refundId || names.includes(name) || sequenceOfName(payment, name) === sequence;

const isSame = (one: RefundRequest, other: RefundRequest): boolean =>
  one.amount === other.amount && one.reason === other.reason && one.chargeId === other.chargeId;

/**
 * A failed refund moved no money, so the same request after it is a new try. A refund that was made is never replayed: the customer may
 * return another article of the same price, and its refund would be lost.
 */
function repeatsUnnamed(
  { refunds }: Payment,
  request: RefundRequest,
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

/** How a refund ended, and why. */
export interface RefundOutcome {
  readonly status: "succeeded" | "failed";
  readonly statusReason?: Refund["statusReason"];
  readonly statusDetail?: string | undefined;
}

/** Records a refund's outcome and sends a webhook. A full refund releases the order. */
export function concludeRefund(
  payment: Payment,
  refund: Refund,
  { status, statusReason, statusDetail }: RefundOutcome,
  context: DecisionContext & Pick<Step, "by" | "alerts">,
): Change | undefined {
  const forgotten = { terminalForgot: undefined, restored: undefined };
  const outcome = { status, statusReason, statusDetail, updatedAt: context.now };
  const concluded = { ...refund, ...outcome, ...forgotten };
  const set = { refunds: replacedRefund(payment, concluded) };
  return advance(payment, {
    ...context,
    event: status === "succeeded" ? "refunded" : "refundFailed",
    amount: refund.made ?? refund.amount,
    set,
    effects: [{ kind: "webhook", type: `refund.${status}`, about: refund.refundId }],
  });
}

export const replacedRefund = (payment: Payment, refund: Refund): readonly Refund[] =>
  payment.refunds.map((r) => (r.commandId === refund.commandId ? refund : r));
