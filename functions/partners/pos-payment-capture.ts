import * as z from "zod";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { bindingKey } from "../../shared/contracts/fields.ts";
import { paymentObject, toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import { paymentCaptureBody } from "../../shared/contracts/requests/payment-capture.ts";
import { respond, refusal } from "../../shared/edge/http/response.ts";
import { moneyBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { capturePayment, type CapturePaymentDeps } from "../../shared/use-cases/payments/capture-payment.ts";

export const posPaymentCapture = defineEndpoint({
  auth: partner("payments"),
  name: "pos-payment-capture",
  method: "POST",
  route: "pos-payment-capture",
  summary: "Payment Capture",
  description:
    "Captures an authorized payment on the terminal, wholly or in part. A payment is captured once. If the terminal is off, the capture waits until `deliverBefore`. A cancel withdraws it before the terminal has fetched it.",
  parameters: { header: z.object({ "Idempotency-Key": bindingKey }) },
  body: moneyBody(paymentCaptureBody),
  successes: {
    202: success("The message waits for the terminal. A webhook reports the outcome.", paymentObject),
  },
  replays: true,
  problems: [
    "idempotency_mismatch",
    "idempotency_in_progress",
    "payment_not_found",
    "invalid_state",
    "terminal_mismatch",
  ],
  handle: async (deps: CapturePaymentDeps, call) => {
    const captured = await capturePayment(deps, call, {
      ...call.body,
      idempotencyKey: call.parameters["Idempotency-Key"],
    });
    if (!captured.ok) return refusal(captured.error);
    return respond(202, toPaymentObject(captured.value.payment), captured.value.replayed);
  },
});
