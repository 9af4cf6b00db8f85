import { createHash } from "node:crypto";
import type { Payment, Refund } from "../../domain/payment/record/payment.ts";
import { requestRefund, type RefundRefusal } from "../../domain/payment/requests/refund.ts";
import { namesOf, refundRequest, type RefundInput } from "../../domain/payment/requests/refund-request.ts";
import { waitingLike } from "../../domain/payment/requests/repeated-refund.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import { whyTooLarge } from "../../stores/payment-weight.ts";
import type { KeyedTerminal, Terminals } from "../../stores/terminals.ts";
import type { PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";
import { unfetched, openMessages } from "../terminals/open-messages.ts";
import type { AmendResult } from "./amend-payment.ts";
import { findUndelivered } from "./find-undelivered.ts";
import { amendOwnPayment, type AmendOwnPaymentDeps, type PaymentTarget } from "./amend-own-payment.ts";

export interface RefundPaymentDeps extends AmendOwnPaymentDeps, Needs<"inboxes"> {
  readonly terminals: Pick<Terminals, "findKey">;
}

type RequestRefusal = RefundRefusal | "currency_mismatch" | "validation_failed";

/** A refund of the named payment. */
type Input = PaymentTarget & RefundInput;

/** The longest wait of a refund without a name, in seconds. */
const LONGEST_UNNAMED = 600;

/**
 * Has the terminal refund captured money, wholly or in part. It may be repeated while captured money is left. A new refund is refused if
 * the terminal is retired, because it no longer fetches messages. Hosts remember terminals for some seconds, so a retirement within that
 * time is not seen here. The refund then fails as not delivered. Without a name, a confirmed refund and one with a long wait are refused
 * before anything is read. The inbox is read only if an equal refund may wait there.
 */
export async function refundPayment(
  deps: RefundPaymentDeps,
  call: PartnerCall,
  input: Input,
): Promise<Result<AmendResult, Refusal<RequestRefusal | "payment_not_found" | "terminal_mismatch">>> {
  const needing = namesOf(input).length > 0 ? undefined : needsName(input);
  if (needing !== undefined) return refuse(nameRequired(needing));
  const amended = await amendOwnPayment<Refusal<RequestRefusal>, Reading>(deps, call, input, {
    async read(payment) {
      const [terminal, undelivered, waiting] = await Promise.all([
        deps.terminals.findKey(input.terminalId),
        payment().then((found) => findUndelivered(deps, found, namesOf(input))),
        payment().then((found) => found && waitingFor(deps, found, input, call.now())),
      ]);
      return { terminal, undelivered, waiting };
    },
    decide(payment, context, { read: { terminal, undelivered, waiting } }) {
      const request = refundRequest(payment, input, identifierOf);
      if (!request.ok) return request;
      const decided = requestRefund(including(payment, undelivered), request.value, context, waiting);
      if (!decided.ok || decided.value === "unchanged") return decided;
      const trouble = terminal ? whyTooLarge(decided.value.payment) : retired(payment);
      return trouble ? refuse(trouble) : decided;
    },
  });
  if (!amended.ok) return amended;
  const { payment, replayed, read } = amended.value;
  return ok({ read, replayed, payment: replayed ? including(payment, read.undelivered) : payment });
}

/**
 * The other data of a request. `undelivered`: the refund that it names, if that refund has left the payment's record. `waiting`: an equal
 * refund that has waited for a minute, and that the terminal has not fetched.
 */
interface Reading {
  readonly terminal: KeyedTerminal | undefined;
  readonly undelivered: Refund | undefined;
  readonly waiting: Refund | undefined;
}

async function waitingFor(
  deps: RefundPaymentDeps,
  payment: Payment,
  input: Input,
  now: Instant,
): Promise<Refund | undefined> {
  const request = refundRequest(payment, input, identifierOf);
  const like = request.ok ? waitingLike(payment, request.value, now) : [];
  if (like.length === 0) return undefined;
  const open = await openMessages(deps, payment);
  return like.find(({ sequence }) => unfetched(payment, open, sequence));
}

/** The payment with the refund that a request names, if that refund has left its record. */
export const including = (payment: Payment, refund: Refund | undefined): Payment =>
  refund ? { ...payment, refunds: [...payment.refunds, refund] } : payment;

/** Why a refund without a name is refused. Undefined if it needs none. */
function needsName({ confirmDuplicate, deliverWithinSeconds = 0 }: RefundInput): string | undefined {
  if (confirmDuplicate) return "confirmDuplicate: a refund that is meant as another one needs a refundID of its own";
  return deliverWithinSeconds > LONGEST_UNNAMED
    ? `deliverWithinSeconds above ${LONGEST_UNNAMED}: a retry would otherwise be taken for another refund`
    : undefined;
}

const nameRequired = (why: string) => invalidField("refundID", "required", `is required with ${why}`);

const retired = ({ status: currentStatus }: Payment): Refusal<"invalid_state"> => ({
  code: "invalid_state",
  currentStatus,
  detail: "The terminal is permanently out of service and cannot make refunds. Return the money outside the platform.",
});

/** The identifier of a text: a UUID of version 8 (RFC 9562) made of 122 bits of its SHA-256. */
const identifierOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
