import { toPaymentObject } from "../../shared/contracts/payment-object.ts";
import { paymentRequestBody } from "../../shared/contracts/payment-request.ts";
import { answer, refusal } from "../../shared/http/answer.ts";
import { partnerFunction } from "../../shared/http/http-function.ts";
import { requestPayment, type RequestPayment } from "../../shared/use-cases/request-payment.ts";
import type { CheckWebhookUrl } from "../../shared/webhooks/http-webhooks.ts";

/** Asks a terminal to take a payment. A repeat of the request is answered with how the payment stands now. */
export const posPaymentRequest = (deps: RequestPayment & { readonly checkWebhookUrl: CheckWebhookUrl }) =>
  partnerFunction({
    name: "pos-payment-request",
    method: "POST",
    route: "pos-payment-request",
    scope: "payments",
    body: paymentRequestBody,
    handle: async ({ caller, body, traceparent }) => {
      const wrongUrl = body.webhookUrl === undefined ? undefined : deps.checkWebhookUrl(body.webhookUrl);
      if (wrongUrl) return refusal({ code: "validation_failed", errors: [wrongUrl] });
      const requested = await requestPayment(deps, caller, body, traceparent);
      if (!requested.ok) return refusal(requested.error);
      const { payment, replayed } = requested.value;
      return answer(202, toPaymentObject(payment), replayed);
    },
  });
