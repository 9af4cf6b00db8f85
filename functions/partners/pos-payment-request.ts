import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentRequestBody } from "../../shared/contracts/requests/payment-request.ts";
import { withoutEmptyTip } from "../../shared/contracts/requests/tip-options.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { moneyBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { requestPayment, type RequestPaymentDeps } from "../../shared/use-cases/payments/request-payment.ts";
import { refuseAddress, type CheckAddressDeps } from "../../shared/use-cases/webhooks/webhook-hosts.ts";

export const posPaymentRequest = defineEndpoint({
  auth: partner("payments"),
  name: "pos-payment-request",
  method: "POST",
  route: "pos-payment-request",
  summary: "Payment Request",
  description:
    "Sends a payment to a terminal. Webhooks report its progress, and you can read it at any time. If you repeat the request, the response has the payment's current state.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: moneyBody(z.preprocess(withoutEmptyTip, paymentRequestBody), { shown: paymentRequestBody, takes: ["tip"] }),
  successes: { 202: success("The payment is accepted and sent to its terminal.", paymentObject) },
  replays: true,
  problems: [
    "idempotency_mismatch",
    "idempotency_in_progress",

    "terminal_not_found",
    "session_conflict",
    "possible_duplicate",
    "terminal_busy",
    "terminal_offline",
    "terminal_unavailable",
    "merchant_mismatch",
  ],
  handle: async (deps: RequestPaymentDeps & CheckAddressDeps, call) => {
    const named = { field: "responseWebhookUrl", url: call.body.webhookUrl };
    const refused = await refuseAddress(deps, call.caller.partnerId, named);
    if (refused) return refusal(refused);
    const requested = await requestPayment(deps, call, call.body, call.parameters["Idempotency-Key"]);
    if (!requested.ok) return refusal(requested.error);
    const { payment, replayed } = requested.value;
    return respond(202, toPaymentObject(payment), replayed);
  },
});
