import { refundRequest, requestRefund, type RefundInput, type RefundRefusal } from "../../domain/payment/refund.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { Result } from "../../domain/result.ts";
import type { PartnerCall } from "../auth/caller.ts";
import type { AmendPaymentDeps, AmendResult } from "../outbox/amend-payment.ts";
import { amendOwnPayment, type PaymentTarget } from "./amend-own-payment.ts";

type RequestRefusal = RefundRefusal | "currency_mismatch" | "validation_failed";

/** Has the terminal refund captured money, wholly or in part. It may be repeated while captured money is left. */
export const refundPayment = (
  deps: AmendPaymentDeps,
  call: PartnerCall,
  input: PaymentTarget & RefundInput,
): Promise<Result<AmendResult, Refusal<RequestRefusal | "payment_not_found" | "terminal_mismatch">>> =>
  amendOwnPayment<Refusal<RequestRefusal>>(deps, call, input, (payment, context) => {
    const request = refundRequest(payment, input, call.newId);
    return request.ok ? requestRefund(payment, request.value, context) : request;
  });
