import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { idempotencyKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentRefundBody } from "../../shared/contracts/requests/payment-refund.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { moneyBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refundPayment, type RefundPaymentDeps } from "../../shared/use-cases/payments/refund-payment.ts";

export const posPaymentRefund = defineEndpoint({
  auth: partner("refunds"),
  name: "pos-payment-refund",
  method: "POST",
  route: "pos-payment-refund",
  summary: "Payment Refund",
  description:
    "Refunds captured money, wholly or in part. Send a `refundID` with every refund: it makes a retry safe. So does the header `Idempotency-Key`. If a request has both, they must belong to one refund. Without either, the same amount and reason counts as a retry while the first refund is pending. Once that has succeeded, it is 409 `possible_duplicate` for a day. So is a refund like one that has waited for the terminal for a minute, unless you confirm it. If the terminal is off, the refund waits until `deliverBefore`. `paymentCancel` with its `refundID` withdraws it before the terminal has fetched it. A charge is never refunded beyond its captured amount.",
  parameters: {
    header: z.object({
      "Idempotency-Key": idempotencyKey.meta({ description: "Identifies the refund for retries, like `refundID`." }),
    }),
  },
  body: moneyBody(paymentRefundBody),
  successes: {
    202: success("The message waits for the terminal. A webhook reports the outcome.", paymentObject),
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
