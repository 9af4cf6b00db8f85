import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentCancelBody } from "../../shared/contracts/requests/payment-cancel.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { requestBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { cancelPayment, type CancelPaymentDeps } from "../../shared/use-cases/payments/cancel-payment.ts";

export const posPaymentCancel = defineEndpoint({
  auth: partner("payments"),
  name: "pos-payment-cancel",
  method: "POST",
  route: "pos-payment-cancel",
  summary: "Payment Cancel",
  description:
    "Asks the terminal to abandon a payment, or voids an authorization. Refund a captured payment instead. Cancelling a session that was never requested succeeds with 404 `payment_never_requested`.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: requestBody(paymentCancelBody),
  successes: {
    200: success("The payment is cancelled: no card is charged.", paymentObject),
    202: success("The message is sent to the terminal. A webhook reports the outcome.", paymentObject),
  },
  replays: true,
  problems: [
    "idempotency_mismatch",
    "idempotency_in_progress",
    "payment_not_found",
    "payment_never_requested",
    "invalid_state",
    "terminal_mismatch",
  ],
  handle: async (deps: CancelPaymentDeps, call) => {
    const cancelled = await cancelPayment(deps, call, {
      ...call.body,
      idempotencyKey: call.parameters["Idempotency-Key"],
    });
    if (!cancelled.ok) return refusal(cancelled.error);
    const { payment, atOnce, replayed } = cancelled.value;
    return respond(atOnce ? 200 : 202, toPaymentObject(payment), replayed);
  },
});
