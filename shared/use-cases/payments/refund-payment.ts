import { createHash } from "node:crypto";
import type { Payment, Refund } from "../../domain/payment/record/payment.ts";
import {
  namesOf,
  refundRequest,
  requestRefund,
  type RefundInput,
  type RefundRefusal,
} from "../../domain/payment/requests/refund.ts";
import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { whyTooLarge } from "../../stores/payment-weight.ts";
import type { KeyedTerminal, Terminals } from "../../stores/terminals.ts";
import type { PartnerCall } from "../caller.ts";
import type { AmendResult } from "./amend-payment.ts";
import { findUndelivered } from "./find-undelivered.ts";
import { amendOwnPayment, type AmendOwnPaymentDeps, type PaymentTarget } from "./amend-own-payment.ts";

export interface RefundPaymentDeps extends AmendOwnPaymentDeps {
  readonly terminals: Pick<Terminals, "findKey">;
}

type RequestRefusal = RefundRefusal | "currency_mismatch" | "validation_failed";

/** A refund of the named payment. If the partner confirms that it is another one, it must have a name. */
type Input = PaymentTarget & RefundInput & { readonly confirmDuplicate?: boolean | undefined };

/**
 * Has the terminal refund captured money, wholly or in part. It may be repeated while captured money is left. A new refund is refused if
 * the terminal is retired, because it no longer fetches messages. Hosts remember terminals for some seconds, so a retirement within that
 * time is not seen here. The refund then fails as not delivered. A confirmed refund without a name is refused before anything is read.
 */
export async function refundPayment(
  deps: RefundPaymentDeps,
  call: PartnerCall,
  input: Input,
): Promise<Result<AmendResult, Refusal<RequestRefusal | "payment_not_found" | "terminal_mismatch">>> {
  const { confirmDuplicate = false, refundId, idempotencyKey } = input;
  if (confirmDuplicate && refundId === undefined && !idempotencyKey) return refuse(nameRequired);
  const amended = await amendOwnPayment<Refusal<RequestRefusal>, Reading>(deps, call, input, {
    async read(payment) {
      const [terminal, undelivered] = await Promise.all([
        deps.terminals.findKey(input.terminalId),
        payment().then((found) => findUndelivered(deps, found, namesOf(input))),
      ]);
      return { terminal, undelivered };
    },
    decide(payment, context, { read: { terminal, undelivered } }) {
      const request = refundRequest(payment, input, identifierOf);
      if (!request.ok) return request;
      const decided = requestRefund(including(payment, undelivered), request.value, context);
      if (!decided.ok || decided.value === "unchanged") return decided;
      const trouble = terminal ? whyTooLarge(decided.value.payment) : retired(payment);
      return trouble ? refuse(trouble) : decided;
    },
  });
  if (!amended.ok) return amended;
  const { payment, replayed, read } = amended.value;
  return ok({ read, replayed, payment: replayed ? including(payment, read.undelivered) : payment });
}

/** The other data of a request. `undelivered`: the refund that it names, if that refund has left the payment's record. */
interface Reading {
  readonly terminal: KeyedTerminal | undefined;
  readonly undelivered: Refund | undefined;
}

/** The payment with the refund that the request repeats. */
const including = (payment: Payment, refund: Refund | undefined): Payment =>
  refund ? { ...payment, refunds: [...payment.refunds, refund] } : payment;

const nameRequired = invalidField(
  "refundID",
  "required",
  "is required with confirmDuplicate: a refund that is meant as another one needs a refundID of its own",
);

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
