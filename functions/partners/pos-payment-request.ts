import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentRequestBody } from "../../shared/contracts/requests/payment-request.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { mayCall } from "../../shared/domain/webhook-host.ts";
import type { FieldProblem } from "../../shared/domain/refusal.ts";
import type { Partners } from "../../shared/stores/partners.ts";
import { moneyBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { requestPayment, type RequestPaymentDeps } from "../../shared/use-cases/payments/request-payment.ts";
import type { CheckWebhookUrl } from "../../shared/adapters/webhooks/http-webhooks.ts";

export const posPaymentRequest = defineEndpoint({
  auth: partner("payments"),
  name: "pos-payment-request",
  method: "POST",
  route: "pos-payment-request",
  summary: "Payment Request",
  description:
    "Sends a payment to a terminal. Webhooks report its progress, and you can read it at any time. If you repeat the request, the response has the payment's current state.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: moneyBody(paymentRequestBody),
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
    const wrongUrl = await wrongAddress(deps, call.caller.partnerId, call.body.webhookUrl);
    if (wrongUrl) return refusal({ code: "validation_failed", errors: [wrongUrl] });
    const requested = await requestPayment(deps, call, call.body, call.parameters["Idempotency-Key"]);
    if (!requested.ok) return refusal(requested.error);
    const { payment, replayed } = requested.value;
    return respond(202, toPaymentObject(payment), replayed);
  },
});

interface CheckAddressDeps {
  readonly checkWebhookUrl: CheckWebhookUrl;
  readonly partners: Partners;
}

/**
 * Returns the problem of the address for the payment's webhooks. If the partner has registered hosts, the address must be on one of them.
 */
async function wrongAddress(
  { checkWebhookUrl, partners }: CheckAddressDeps,
  partnerId: string,
  url: string | undefined,
) {
  if (url === undefined) return undefined;
  const wrong = checkWebhookUrl(url);
  if (wrong) return wrong;
  const partner = await partners.find(partnerId);
  return partner && mayCall(partner, url) ? undefined : unregistered;
}

const unregistered: FieldProblem = {
  field: "responseWebhookUrl",
  code: "unsafe_url",
  message: "must be on a host that is registered for your webhooks",
};
