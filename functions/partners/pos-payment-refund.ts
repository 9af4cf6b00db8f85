import * as z from "zod";
import { partner } from "../../shared/auth/authenticate.ts";
import { idempotencyKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentRefundBody } from "../../shared/contracts/requests/payment-refund.ts";
import { respond, refusal } from "../../shared/http/response.ts";
import { requestBody, success } from "../../shared/http/contract.ts";
import { defineEndpoint } from "../../shared/http/define-endpoint.ts";
import { refundPayment, type RefundPaymentDeps } from "../../shared/use-cases/payments/refund-payment.ts";

export const posPaymentRefund = defineEndpoint({
  auth: partner("refunds"),
  name: "pos-payment-refund",
  method: "POST",
  route: "pos-payment-refund",
  summary: "Payment Refund",
  description:
    "Gives captured money back, wholly or in part. The `refundID`, yours or the one that the answer shows, makes a repeat safe for ever, and so does the header `Idempotency-Key`; without a name, the same refund within a minute is taken for a repeat. Both names together must be of one refund. Of each charge no more is given back than was captured by it.",
  parameters: {
    header: z.object({
      "Idempotency-Key": idempotencyKey.meta({ description: "Names the refund, as `refundID` does." }),
    }),
  },
  body: requestBody(paymentRefundBody),
  successes: {
    202: success("The message to the terminal is on its way; a webhook brings the outcome.", paymentObject),
  },
  replays: true,
  problems: [
    "payment_not_found",
    "invalid_state",
    "possible_duplicate",
    "terminal_mismatch",
    "currency_mismatch",
    "amount_exceeds_refundable",
    "idempotency_mismatch",
  ],
  handle: async (deps: RefundPaymentDeps, call) => {
    const idempotencyKey = call.parameters["Idempotency-Key"];
    const refunded = await refundPayment(deps, call, { ...call.body, idempotencyKey });
    if (!refunded.ok) return refusal(refunded.error);
    return respond(202, toPaymentObject(refunded.value.payment), refunded.value.replayed);
  },
});
