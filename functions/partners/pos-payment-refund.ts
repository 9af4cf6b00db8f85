import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { paymentRefundBody } from "../../shared/contracts/payment-refund.ts";
import type { Problem } from "../../shared/contracts/problem.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import type { ChangePayment } from "../../shared/use-cases/change-payment.ts";
import { refundPayment } from "../../shared/use-cases/refund-payment.ts";

const longKey: Problem = {
  code: "validation_failed",
  errors: [{ field: "Idempotency-Key", code: "too_big", message: "must have at most 255 characters" }],
};

/** Gives captured money back, wholly or in part; `refundID` or the header `Idempotency-Key` makes a repeat safe for ever. */
export const posPaymentRefund = (deps: ChangePayment) =>
  partnerFunction({
    name: "pos-payment-refund",
    method: "POST",
    route: "pos-payment-refund",
    scope: "refunds",
    body: paymentRefundBody,
    handle: async ({ caller, body, headers, traceparent }) => {
      const idempotencyKey = headers.get("idempotency-key") || undefined;
      if (idempotencyKey !== undefined && idempotencyKey.length > 255) return refusal(longKey);
      const refunded = await refundPayment(deps, caller, { ...body, idempotencyKey }, traceparent);
      if (!refunded.ok) return refusal(refunded.error);
      return answer(202, toPaymentObject(refunded.value.payment), refunded.value.replayed);
    },
  });
