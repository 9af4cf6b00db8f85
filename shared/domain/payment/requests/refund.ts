import { advance, type Change, type Step } from "../life/advance.ts";
import { isIdentifier } from "../../identifier.ts";
import { ownCaptured, refundable, refundedAs } from "../record/kept-money.ts";
import { contradictedText } from "./contradicted-charge.ts";
import { chargeInDoubt, contradictedCharge, wantedCharge } from "../record/charge.ts";
import type { Payment, Refund } from "../record/payment.ts";
import { invalidAmount } from "../../amount-problem.ts";
import { toMinorUnits } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { ok, refuse, type Result } from "../../result.ts";
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

/** The most refunds of a payment. Each is stored with it. */
const MAX_REFUNDS = 100;
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
  if (input.currency !== currency) return refuse({ code: "currency_mismatch" });
  const amount = toMinorUnits(input.refundAmount, currency);
  if (!amount.ok || amount.value === 0) {
    return refuse(invalidAmount("refundAmount", amount.ok ? "zero" : amount.error, currency));
  }
  const names = [refundId?.toLowerCase(), idempotencyKey ? canonicalName(idempotencyKey) : undefined];
  const request = {
    names: names.filter((name) => name !== undefined),
    amount: amount.value,
    // A refund of the wanted charge is the same refund whether it names the charge or not.
    chargeId: chargeId && refundedAs(payment, { chargeId: chargeId.toLowerCase() }),
    reason: input.reason,
  };
  const idAsReceived = refundId ?? firstFree(payment, request, identifierOf);
  return ok({ ...request, refundId: idAsReceived.toLowerCase(), idAsReceived });
}

/**
 * The first identifier of the request that no refund of the payment has. The count is of identifiers, not of refunds. A named refund gets
 * the same identifier, whichever other refunds a restore lost. An identifier that a caller has since used as a refundID is not given again.
 */
function firstFree(
  { partnerId, sessionId, refunds }: Payment,
  { names, amount, chargeId, reason }: Omit<RefundRequest, "refundId" | "idAsReceived">,
  identifierOf: (text: string) => string,
): string {
  const taken = new Set(refunds.map(({ refundId }) => refundId));
  const identifier = (before: number): string =>
    identifierOf(JSON.stringify([partnerId, sessionId, names, amount, chargeId ?? null, reason, before]));
  let before = 0;
  while (before < taken.size && taken.has(identifier(before).toLowerCase())) before++;
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
  const { currency, status: currentStatus } = payment;
  const repeated = repeats(payment, request, context.now);
  if (repeated) return repeated;
  const trouble = whyNotRefundable(payment, request);
  if (trouble) return refuse(trouble);

  const { now, commandId, timings } = context;
  const sequence = payment.sequence + 1;
  const times = { createdAt: now, updatedAt: now };
  const refund: Refund = { ...request, status: "pending", commandId, sequence, ...times };
  const refunds = [...payment.refunds, refund];
  const { idAsReceived: refundId, amount, reason } = refund;
  const chargeId = request.chargeId ?? wantedCharge(payment)?.chargeId;
  const change = advance(payment, {
    ...context,
    event: "refund",
    by: "partner",
    amount,
    set: { refunds },
    effects: [
      {
        kind: "message",
        message: { type: "refund", refundId, chargeId, amount, currency, reason },
      },
      { kind: "deadline", deadline: "outcome", due: after(now, timings.outcomeSeconds) },
    ],
  });
  return change ? ok(change) : refuse({ code: "invalid_state", currentStatus });
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
function repeatsNamed({ refunds }: Payment, request: RefundRequest): Decision<"idempotency_mismatch"> | undefined {
  const [meant, ...others] = request.names.map((name) => refunds.find((r) => isNamed(r, name)));
  if (others.some((other) => other !== meant)) {
    return refuse({
      code: "idempotency_mismatch",
      detail: "The refundID and the Idempotency-Key do not belong to the same refund.",
    });
  }
  if (!meant) return undefined;
  return isSame(meant, request) ? ok("unchanged") : refuse({ code: "idempotency_mismatch" });
}

/** Every refund is also named by its refundID, in addition to its caller's names. */
const isNamed = ({ refundId, names }: Refund, name: string): boolean => name === refundId || names.includes(name);

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

/** Only captured money is refunded, and no more of each charge than was captured. */
function whyNotRefundable(
  payment: Payment,
  { amount, chargeId }: RefundRequest,
): Refusal<"invalid_state" | "validation_failed" | "amount_exceeds_refundable"> | undefined {
  const { status: currentStatus, refunds } = payment;
  if (chargeInDoubt(payment)) {
    const detail = "A charge of the payment is in doubt. Refunds are refused until an operator decides.";
    return { code: "invalid_state", currentStatus, detail };
  }
  if (contradictedCharge(payment)) return { code: "invalid_state", currentStatus, detail: contradictedText("Refunds") };
  const trouble = chargeId === undefined ? whyNotOwn(payment) : whyNotCharge(payment, chargeId);
  if (trouble) return trouble;
  if (refunds.length >= MAX_REFUNDS) {
    return { code: "invalid_state", currentStatus, detail: `A payment has at most ${MAX_REFUNDS} refunds.` };
  }
  return amount > refundable(payment, chargeId) ? { code: "amount_exceeds_refundable" } : undefined;
}

function whyNotOwn(payment: Payment): Refusal<"invalid_state"> | undefined {
  const { status: currentStatus, charges } = payment;
  if (currentStatus === "captured" || ownCaptured(payment) > 0) return undefined;
  const isKept = charges.some(({ status }) => status === "kept");
  const detail = "The payment's own charge is not captured. To refund another captured charge, send its chargeID.";
  return { code: "invalid_state", currentStatus, ...(isKept && { detail }) };
}

function whyNotCharge(
  { status: currentStatus, charges }: Payment,
  named: string,
): Refusal<"invalid_state" | "validation_failed"> | undefined {
  const charge = charges.find(({ chargeId }) => chargeId === named);
  if (!charge) return invalidField("chargeID", "invalid", "is not a charge of this payment");
  if (charge.status === "kept") return undefined;
  return { code: "invalid_state", currentStatus, detail: `The charge is ${charge.status}, and is not captured.` };
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
